#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/io/feature_files.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

// Features and matches of many images in one HDF5 file, in the layout of hloc (Sarlin et al. 2019, "From Coarse to
// Fine"). docs/image-formats.md describes it. All functions throw Error(file_error), which names the file and what is
// wrong, and Error(out_of_memory). A file belongs to one thread at a time.

namespace OCTAVO_INTERNAL_API octavo {

/// Whether a name ends, in letters of either case, as those of such files: .h5, .hdf5.
bool is_hloc_file(const std::filesystem::path& file);

/// Features of images: a group for each, by its name. In it are, for N keypoints, `keypoints` (N×2 f32; (0, 0) is the
/// centre of the first pixel), `descriptors` (128×N f32 of length 1), `scores`, `scales`, `oris` (N f32: response, σ,
/// orientation), `image_size` (2 i32: width, height), and for ellipses `ellipses` (N×4 f32). The attribute
/// `uncertainty` of `keypoints`, by which hloc multiplies the thresholds of geometry, is 1 pixel.
class HlocFeatures {
 public:
  /// Opens a file that exists.
  explicit HlocFeatures(const std::filesystem::path& file);
  ~HlocFeatures();
  HlocFeatures(HlocFeatures&&) noexcept;
  HlocFeatures& operator=(HlocFeatures&&) noexcept;

  /// The images, in the order of their names.
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// The features of an image; of other programs too, in numbers of any width. `keypoints` and `descriptors` are
  /// needed. A descriptor that is whole numbers 0…255 over their length, as HlocFeaturesWriter writes it, gives these
  /// numbers; any other is multiplied by 512 and rounded, as COLMAP does. Octave and layer are 0.
  [[nodiscard]] Features read(const std::string& name) const;
  /// The same with descriptors of any length and kind, as they are.
  [[nodiscard]] NumberedFeatures read_numbers(const std::string& name) const;
  /// The note of HlocFeaturesWriter::write; none if there is none.
  [[nodiscard]] std::optional<std::string> note(const std::string& name) const;
  /// False for a file of HlocFeaturesWriter::save, whose job was ended before it finished the file.
  [[nodiscard]] bool is_finished() const;

 private:
  friend class HlocFeaturesWriter;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes features to a file, which is replaced as a whole at `save` or `finish`: a job that is killed leaves the file
/// as it was. A file that is extended has a shared lock (flock), so that HDF5's library does not open it for writing.
/// The constructor throws Error(file_error) if another program has it open for writing, and `save` and `finish` do if
/// it has changed all the same. The bytes of a finished file depend on what it holds alone, if all its images have
/// notes: not on the order in which they were written, nor on how often the file was saved and extended.
class HlocFeaturesWriter {
 public:
  /// What becomes of a file that exists.
  enum class Existing { extended, replaced };

  explicit HlocFeaturesWriter(const std::filesystem::path& file, Existing existing = Existing::extended);
  ~HlocFeaturesWriter();
  HlocFeaturesWriter(HlocFeaturesWriter&&) noexcept;
  HlocFeaturesWriter& operator=(HlocFeaturesWriter&&) noexcept;

  /// Writes the features of an image, in place of those that the file has of it. They need descriptors. `note` is a
  /// text of the caller, such as what the features were made from.
  void write(const std::string& name, const Features& features, ImageSize size, const std::string& note = {});
  /// Takes an image over from a file that HlocFeaturesWriter or encode_hloc_features made: as if it were written.
  void copy(const HlocFeatures& from, const std::string& name);
  /// Gives the file its name, for a job that will extend it. Nothing can be written after that.
  void save();
  /// Puts the images into the order of their paths, and gives the file its name. Nothing can be written after that.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The bytes of a finished file with one image.
std::vector<std::byte> encode_hloc_features(const std::string& name, const Features& features, ImageSize size,
                                            const std::string& note = {});

/// Writes a file of all images in `parts`, which are folders of results (ResultFolder) with a file of
/// encode_hloc_features for each: the bytes of one job. A file that exists is replaced. Returns the number of images.
/// Throws Error(file_error) too, before anything is written, for an image that two parts have with other content.
std::size_t merge_hloc_features(const std::filesystem::path& to, std::span<const std::filesystem::path> parts);

/// Writes matches to a file as HlocFeaturesWriter writes features: for the pair of a and b the group "a/b", in whose
/// names - stands for every /. In it are `matches0` (N i32: for each keypoint of a the index of b's, or −1) and
/// `matching_scores0` (N f32: (1 + c)/2, with c the cosine of the angle between the descriptors; 0 without a match).
class HlocMatchesWriter {
 public:
  /// `unit_length` is what the length 1 of a descriptor is in the units of the matches' distances.
  explicit HlocMatchesWriter(const std::filesystem::path& file, double unit_length = 512);
  ~HlocMatchesWriter();
  HlocMatchesWriter(HlocMatchesWriter&&) noexcept;
  HlocMatchesWriter& operator=(HlocMatchesWriter&&) noexcept;

  /// Writes the matches of a pair; `keypoints_a` is the number of a's keypoints. Where `inliers` is not empty, only
  /// those whose entry is not 0. A pair that the file has, in either order, is replaced. Throws Error(invalid_argument)
  /// for an index beyond the keypoints and for `inliers` of another length than `matches`.
  void write(const std::string& name_a, const std::string& name_b, std::size_t keypoints_a,
             std::span<const Match> matches, std::span<const std::uint8_t> inliers = {});
  /// Gives the file its name. Nothing can be written after that.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The matches of a pair, by ascending a, then b, in numbers of any width; the pair may stand in the file in the other
/// order, or with the _ between the names that hloc's first versions had. The squared distances are those of
/// descriptors of length 512 with that score. Throws Error(file_error) too if the file has no such pair.
std::vector<Match> read_hloc_matches(const std::filesystem::path& file, const std::string& name_a,
                                     const std::string& name_b);

}  // namespace octavo
