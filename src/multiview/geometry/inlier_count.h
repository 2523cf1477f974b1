// Whether so few pairs agree with a model that images of different things may give as many. After Brown & Lowe,
// "Automatic panoramic image stitching using invariant features", IJCV 74(1), 2007, eq. 13: right ones have more than
// 8 + 0.3·n inliers among n pairs.

#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/matcher.h"

namespace octavo::planes {

/// Pairs at different places, each once, with their inlier mark. A keypoint of several orientations gives several pairs
/// at one place, which prove no more than one.
struct DistinctPairs {
  std::vector<cv::Point2d> a, b;
  std::vector<bool> inlier;

  /// The mean of a's inliers.
  [[nodiscard]] cv::Point2d middle() const;
};
DistinctPairs distinct(std::span<const Point> a, std::span<const Point> b, std::span<const std::uint8_t> inliers);

struct InlierCount {
  int inliers = 0;  ///< distinct pairs that agree
  int matches = 0;  ///< distinct pairs that could agree

  [[nodiscard]] double needed() const { return 8 + 0.3 * matches; }
  [[nodiscard]] bool are_few() const { return inliers <= needed(); }
  /// At how many places inliers must lie. Of n matches at one place the 0.3·n that agree by chance do so together, so
  /// that the share of inliers counts, and 8 more are needed at places of their own: places·(1 − 0.3·matches/inliers)
  /// > 8.
  [[nodiscard]] double places_needed() const { return 8 / (1 - 0.3 * matches / inliers); }
  /// That they are few. `where` goes on "matches", and `model` names what is doubted.
  [[nodiscard]] std::string sentence(std::string_view where, std::string_view model) const;
};

/// The number of places of inliers, counted up to `most`. Inliers whose points lie within `radius` [pixel] of those of
/// another, in both images, are at its place: a model that one agrees with, so do all.
int count_places(const DistinctPairs& pairs, double radius, int most);

/// Of all pairs.
InlierCount count_inliers(const DistinctPairs& pairs);
/// Of those whose point of A maps into a part of B. `b_from_a` is oriented (visible_part.h).
InlierCount count_inliers(const DistinctPairs& pairs, const cv::Matx33d& b_from_a, const cv::Rect2d& part_of_b);

}  // namespace octavo::planes
