// Parallax: a fundamental matrix explains every rigid scene, a homography only planes and turning cameras. Pairs that
// agree with the first and are far from the second show that the scene has depth (the comparison of models of Torr,
// "Geometric motion segmentation and model selection", 1998, by counts of pairs).

#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "octavo/multiview/geometry.h"

namespace octavo::planes {

struct Parallax {
  int epipolar = 0;               ///< pairs that agree with a fundamental matrix; 0 if there is none
  int off = 0;                    ///< those of them whose distance from the homography is above twice the threshold
  std::vector<Point> off_in_a{};  ///< the places in a of those that are off
  double by_chance = 0;           ///< of those that are off, about as many wrong pairs may lie on their epipolar lines

  /// Whether so many are off that the scene has depth. The limits separate the pairs of docs/alignment.md.
  [[nodiscard]] bool shows_depth() const { return off > 8 + 0.1 * epipolar + by_chance; }
};

/// `b_from_a` is oriented (visible_part.h). Pairs at the same places, as of keypoints with several orientations, count
/// once.
Parallax parallax_of(const cv::Matx33d& b_from_a, const PointPairs& pairs, const RobustOptions& robust);

}  // namespace octavo::planes
