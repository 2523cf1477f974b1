#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/job.h"
#include "octavo/matcher.h"
#include "octavo/picture_pairs.h"
#include "octavo/pictures.h"
#include "octavo/read_options.h"
#include "octavo/verification.h"

// Pairs of many images, or of their features, matched and verified.

namespace OCTAVO_API octavo {

/// Which images and pairs are asked for.
struct MatchPlaces {
  std::string a;                  ///< an image, a folder or a pattern of images or features, or hloc's file of features
  std::string b{};                ///< the same: each of a's is paired with each of b's; empty: a's with each other
  bool recursive = false;         ///< also subfolders
  std::size_t sequential = 0;     ///< a's each with so many next ones; 0: with all
  std::filesystem::path pairs{};  ///< a's as this file lists them (read_pair_list); empty: none
};

/// The images, or features, and which of them are paired.
struct ImagePairs {
  /// Each once. `name` is that of the image, also for features: the name in lists of pairs and outputs.
  std::vector<PictureFile> images;
  std::vector<PicturePair> pairs;     ///< by ascending first index
  std::vector<std::string> problems;  ///< a sentence for each folder and line that is left out
};

/// Throws Error(file_error) for a place without images and features, Error(invalid_option) for two files of one name.
ImagePairs find_image_pairs(const MatchPlaces& places);

/// Whether this is a file of features, not an image.
bool has_features(const PictureFile& image);

/// A pair that is matched.
struct MatchedImages {
  const PictureFile &a, &b;
  const Features &features_a, &features_b;
  std::span<const Match> matches;
  const EssentialModel* model;  ///< null: not verified
};

struct MatchJob {
  ImagePairs pairs;  ///< its problems are told as failures
  ReadOptions read{};
  Verification verification{};
  /// A list for COLMAP (.txt, colmap_matches), or hloc's file of matches (.h5, .hdf5), which is extended if it exists;
  /// empty: none is written.
  std::filesystem::path output{};
  std::uint64_t feature_memory = std::uint64_t{4096} << 20;  ///< [byte] of the features of all images at most
  DetectorOptions detector{};
  MatchOptions match{};
  DeviceOptions device{};
  /// Is told each pair in order. False ends the job. May be empty.
  std::function<bool(const MatchedImages&)> take{};
};

struct MatchSummary {
  std::size_t done = 0;       ///< pairs whose turn is over
  std::size_t pairs = 0;      ///< those that are matched
  std::uint64_t matches = 0;  ///< of all of them
  bool is_written = false;    ///< the output has these pairs
  bool is_finished = false;   ///< false: it was stopped
};

/// Matches the pairs. The features of all images are extracted or read once and stay in memory; then each image is
/// matched with its partners, several in one submission. An image or pair that fails is told to the context, and the
/// others are matched. A list appears as a whole; a job that is stopped or fails replaces none by an empty one. Throws,
/// before the work, Error(invalid_option), Error(device_unavailable), and Error(file_error) for an output that cannot
/// be written; Error(out_of_memory) for more features than `feature_memory`.
MatchSummary match_images(const MatchJob& job, const JobContext& context = {});

}  // namespace octavo
