#pragma once

// What a COLMAP database knows of pictures and pairs, without the places and descriptors of keypoints.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

struct MatchGraph {
  std::vector<SfmPictureResult> pictures;  ///< by their names, with name and keypoints
  std::vector<std::int64_t> numbers;       ///< of the pictures in the database, image_id
  std::vector<SfmPair> pairs;              ///< with matches or inliers, by their pictures
  std::vector<SfmPair> unverified;         ///< those of `pairs` whose matches have not been verified
};

/// Throws Error(file_error) for a file that is missing, is no COLMAP database, or has no pictures.
MatchGraph read_match_graph(const std::filesystem::path& database);

/// Fills `matched`, `verified` and `best_inliers` of the pictures.
void count_pairs(std::vector<SfmPictureResult>& pictures, const std::vector<SfmPair>& pairs);

/// Says why each picture that has no model is in none.
void explain_failures(std::vector<SfmPictureResult>& pictures, const std::vector<SfmPair>& pairs);

}  // namespace octavo::sfm
