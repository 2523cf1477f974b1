#pragma once

// What a COLMAP database knows of images and pairs, without the places and descriptors of keypoints.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

inline constexpr std::int64_t most_ids = 2147483647;  ///< the key of a pair is most_ids·id1 + id2, id1 < id2

struct MatchGraph {
  std::vector<SfmImageResult> images;  ///< by their names, with name and keypoints
  std::vector<std::int64_t> numbers;   ///< of the images in the database, image_id
  std::vector<SfmPair> pairs;          ///< with matches or inliers, by their images
  std::vector<SfmPair> unverified;     ///< those of `pairs` whose matches have not been verified
};

/// Throws Error(file_error) for a file that is missing, is no COLMAP database, or has no images.
MatchGraph read_match_graph(const std::filesystem::path& database);

/// Fills `matched`, `verified` and `best_inliers` of the images.
void count_pairs(std::vector<SfmImageResult>& images, const std::vector<SfmPair>& pairs);

/// Says why each image that has no model is in none.
void explain_failures(std::vector<SfmImageResult>& images, const std::vector<SfmPair>& pairs);

}  // namespace octavo::sfm
