#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo {

struct Point {
  double x = 0;  ///< [pixel]
  double y = 0;  ///< [pixel]
};

/// The options of the robust estimators of OpenCV's USAC framework. The same pairs and options give the same model.
struct RobustOptions {
  enum class Method {
    magsac,  ///< MAGSAC++ (Barath et al., CVPR 2020)
    ransac,  ///< counts inliers (Fischler & Bolles 1981); locally optimised
    prosac,  ///< samples the first pairs first (Chum & Matas, CVPR 2005): order the pairs best first
  };
  Method method = Method::magsac;
  double threshold = 3;        ///< [pixel] the largest error of an inlier
  double confidence = 0.999;   ///< the probability of at least one sample without outliers
  int max_iterations = 10000;  ///< the largest number of samples
  int seed = 0;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<RobustOptions>& option_table<RobustOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const RobustOptions& options);

/// A model b_from_a (3×3, row by row, 9 numbers), or the reason why there is none.
struct RobustModel {
  bool found = false;
  std::string reason;                 ///< why there is no model, one sentence; empty if found
  std::array<double, 9> b_from_a{};   ///< homography: b_from_a[8] = 1; fundamental matrix: unit Frobenius norm
  std::vector<std::uint8_t> inliers;  ///< one per pair: 1 if its error is at most the threshold, else 0
  int inlier_count = 0;
  double mean_inlier_error = 0;  ///< [pixel] homography: distance |b − H·a|; fundamental: distance of b to the line F·a
};

/// Estimates the homography that maps points of a onto points of b without mirroring them. `found` is false, and
/// `reason` says why, if
///  - there are fewer than 4 pairs, or a coordinate is not finite or is beyond 10^7 pixels;
///  - the points of an image, or its inliers, are all equal or all on a line: their root-mean-square width is at most
///    the threshold, and at most a hundredth of their length;
///  - the number of inliers is not above what chance gives (Moisan & Stival, IJCV 2004).
/// Throws Error(invalid_argument) if the spans' lengths differ, Error(invalid_option).
RobustModel estimate_homography(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// Estimates the fundamental matrix F with bᵀ·F·a = 0, from at least 8 pairs. `found`, `reason` and the errors are as
/// for estimate_homography.
RobustModel estimate_fundamental(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// The positions of matched keypoints: a[i] and b[i] are a pair.
struct PointPairs {
  std::vector<Point> a, b;
};

/// The positions of the matched keypoints, in the order of the matches. Throws Error(invalid_argument) for a match
/// whose index is out of range.
PointPairs point_pairs(const Features& a, const Features& b, std::span<const Match> matches);

}  // namespace octavo
