#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/progress.h"

// Jobs that match images: the pairs of many, or two.

namespace OCTAVO_API octavo {

struct Photograph;  // octavo/io/image_files.h

// Matches of two images, verified by the geometry of two views.

/// The model that matches are verified with.
enum class Verify : std::uint8_t { none, homography, fundamental, essential };

/// "none", "homography", "fundamental" or "essential".
std::string_view name_of(Verify model);

/// A camera as a user gives it. Without a principal point that is the centre of the image.
struct GivenCamera {
  double fx = 0, fy = 0;                 ///< [pixel]
  std::optional<Point> principal_point;  ///< [pixel] (0, 0) is the centre of the first pixel
};

/// The camera of these numbers: F, or FX, FY, CX, CY [pixel]. Throws Error(invalid_option) that names the option.
GivenCamera given_camera(std::string_view option, std::span<const double> numbers);

/// What is known of an image, for its camera.
struct ImageFacts {
  std::optional<ImageSize> size;       ///< [pixel]
  std::optional<double> focal_length;  ///< [pixel] of its EXIF data
};
/// What is known of a photograph that was read.
ImageFacts facts_of(const Photograph& photograph);

/// By which geometry matches are verified, and the cameras that it needs.
struct Verification {
  Verify by = Verify::none;               ///< the model; none: matches are not verified
  std::optional<GivenCamera> camera{};    ///< none: that of the EXIF data
  std::optional<GivenCamera> camera_b{};  ///< of the second image, if it is another one
  RobustOptions robust{};                 ///< how it is estimated

  /// That of the second image.
  [[nodiscard]] const std::optional<GivenCamera>& second_camera() const { return camera_b ? camera_b : camera; }
};

/// Throws Error(invalid_option) if an essential matrix needs the size or the EXIF data of an image that is not known,
/// since there are features only. Call it before the work.
void require_known_camera(const Verification& verification, const std::optional<GivenCamera>& camera,
                          bool is_image_known);

/// Throws Error(invalid_option) if an essential matrix needs the focal length of an image that nothing gives.
void require_focal_length(const Verification& verification, const std::optional<GivenCamera>& camera,
                          std::string_view name, const ImageFacts& facts);

/// The model of the matches, and which of them agree with it; none for Verify::none. Only the essential matrix sets the
/// pose. The cameras must have passed the two checks. Throws Error.
std::optional<EssentialModel> verified(const Verification& verification, const Features& a, const ImageFacts& facts_a,
                                       const Features& b, const ImageFacts& facts_b, std::span<const Match> matches);

// Pairs of many images, or of their features, matched and verified.

/// Which images and pairs are asked for.
struct MatchPlaces {
  std::string a;              ///< an image, a folder or a pattern of images or features, or hloc's file of features
  std::string b{};            ///< the same: each of a's is paired with each of b's; empty: a's with each other
  bool recursive = false;     ///< also subfolders
  std::string pairs = "all";  ///< of a's, without b: as pairs_by_text takes it
};

/// The images, or features, and which of them are paired.
struct ImagePairs {
  /// Each once. `name` is that of the image, also for features: the name in lists of pairs and outputs.
  std::vector<ImageFile> images;
  std::vector<ImagePair> pairs;       ///< by ascending first index
  std::vector<std::string> problems;  ///< a sentence for each folder and line that is left out
};

/// Finds the images and chooses the pairs, for which likeness reads the images, or the features, and needs the device.
/// After a stop some pairs are missing. Throws Error(file_error) for a place without images and features,
/// Error(invalid_option) for two files of one name and for likeness of images and features, and as pairs_by_text does.
ImagePairs find_image_pairs(const MatchPlaces& places, const ReadOptions& read = {}, const DeviceOptions& device = {},
                            const JobContext& context = {});

/// Whether this is a file of features, not an image.
bool has_features(const ImageFile& image);

/// A pair that is matched.
struct MatchedImages {
  const ImageFile &a, &b;                   ///< the files
  const Features &features_a, &features_b;  ///< valid during the call
  std::span<const Match> matches;           ///< all of them; the model tells which agree
  const EssentialModel* model;              ///< null: not verified
};

/// An object as `octavo match --json` prints it. `seconds` are those of the matching, if they are known.
std::string json_of(Verify verify, const MatchedImages& pair, std::optional<double> seconds = {});
/// A line of text: how many matches, how many agree with the model, and the words of its warnings.
std::string text_of(const MatchedImages& pair);

/// The collection of `match_images`.
struct MatchJob {
  ImagePairs pairs;  ///< its problems are told as failures
  ReadOptions read{};
  std::filesystem::path mask{};  ///< as that of ExtractJob
  Verification verification{};
  /// A list for COLMAP (.txt, colmap_matches), or hloc's file of matches (.h5, .hdf5), which is extended if it exists;
  /// empty: none is written.
  std::filesystem::path output{};
  std::uint64_t feature_memory = std::uint64_t{4096} << 20;  ///< [byte] of the features of all images at most
  DetectorOptions detector{};
  /// Features of another detector: nothing is extracted. Empty: `detector` makes them, or the files have them.
  FeaturesByName features{};
  /// What the length 1 of a descriptor is in the units of its bytes, for the scores of hloc's file.
  double unit_length = 512;
  MatchOptions match{};
  DeviceOptions device{};
  /// Is told each pair in order. False ends the job. May be empty.
  std::function<bool(const MatchedImages&)> take{};
};

/// What `match_images` did.
struct MatchSummary {
  std::size_t done = 0;       ///< pairs whose turn is over
  std::size_t pairs = 0;      ///< those that are matched
  std::size_t doubtful = 0;   ///< those of them whose model has a warning
  std::uint64_t matches = 0;  ///< of all of them
  bool is_written = false;    ///< the output has these pairs
  bool is_finished = false;   ///< false: it was stopped
};

/// How many pairs and matches there are, and the output if they are written, as text.
std::string text_of(const MatchJob& job, const MatchSummary& summary);

/// Matches the pairs. The features of all images are extracted or read once and stay in memory; then each image is
/// matched with its partners, several in one submission. An image or pair that fails is told to the context, and the
/// others are matched. A list appears as a whole; a job that is stopped or fails replaces none by an empty one. Throws,
/// before the work, Error(invalid_option), Error(device_unavailable), and Error(file_error) for an output that cannot
/// be written; Error(out_of_memory) for more features than `feature_memory`.
MatchSummary match_images(const MatchJob& job, const JobContext& context = {});

// Two images, or their stored features, matched, verified and drawn.

/// One of the two.
struct ImageOrFeatures {
  std::filesystem::path file;     ///< an image, or its features (looks_like_features)
  std::filesystem::path image{};  ///< of features: the image that they are of; empty: it is not known

  /// Whether it is a file of features (looks_like_features).
  [[nodiscard]] bool is_stored() const;
  /// The image; empty if it is not known.
  [[nodiscard]] const std::filesystem::path& image_file() const { return is_stored() ? image : file; }
};

/// The two images of `match_two`.
struct MatchTwoJob {
  ImageOrFeatures a, b;
  ReadOptions read{};
  std::filesystem::path mask{};  ///< as that of ExtractJob
  bool refine = false;           ///< refine_matches, before the verification; both images must be known
  Verification verification{};
  /// Is given both images side by side, which must be known, with lines for the inliers, or without verification for
  /// all matches. Empty: nothing is drawn.
  std::function<void(const ImageView& both)> draw{};
  DetectorOptions detector{};
  MatchOptions match{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
};

/// What `match_two` found.
struct MatchedTwo {
  Features features_a{}, features_b{};
  std::vector<Match> matches{};
  double match_seconds = 0;               ///< [second] wall time of the matching alone
  std::optional<EssentialModel> model{};  ///< none: not verified
};

/// Matches the two. The context is told the steps. Throws Error(invalid_option), also for a drawing, a refinement or a
/// camera that needs an image which is not known; Error(file_error), Error(device_unavailable), Error(out_of_memory).
MatchedTwo match_two(const MatchTwoJob& job, const JobContext& context = {});

/// The numbers, and the model if there is one, as text.
std::string text_of(const MatchTwoJob& job, const MatchedTwo& found);

}  // namespace octavo
