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

/// How the robust estimators of OpenCV's USAC framework are run. The same pairs and options give the same model.
struct RobustOptions {
  enum class Method {
    magsac,  ///< MAGSAC++ (Barath et al., CVPR 2020)
    ransac,  ///< counts inliers, as Fischler & Bolles 1981; locally optimised
    prosac,  ///< draws from the first pairs first (Chum & Matas, CVPR 2005): give them best first
  };
  Method method = Method::magsac;
  double threshold = 3;        ///< [pixel], 0.001…1000: an inlier's largest error
  double confidence = 0.999;   ///< 0.000001…0.999999, of having drawn a sample without outliers
  int max_iterations = 10000;  ///< 1…10 000 000
  int seed = 0;
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const RobustOptions& options);

/// A model b_from_a (3×3, row by row, 9 numbers), or the reason why there is none.
struct RobustModel {
  bool found = false;
  std::string reason;                 ///< why not, one sentence; empty if found
  std::array<double, 9> b_from_a{};   ///< a homography has b_from_a[8] = 1; a fundamental matrix unit Frobenius norm
  std::vector<std::uint8_t> inliers;  ///< one per pair: 1 if its error is at most the threshold, else 0
  int inlier_count = 0;
  double mean_inlier_error = 0;  ///< [pixel] homography: distance |b − H·a|; fundamental: distance of b to the line F·a
};

/// The homography that maps points of a onto points of b and does not mirror them. found = false, with the reason,
/// where
///  - there are fewer than 4 pairs, or a coordinate is not finite or beyond 10^7 pixels;
///  - the points of an image, or those that agree, are all equal or all on a line: thinner, by the root mean square,
///  than
///    both the threshold and a hundredth of their length;
///  - no more pairs agree than would by chance (Moisan & Stival, IJCV 2004).
/// Throws Error(invalid_argument) if the spans' lengths differ, Error(invalid_option).
RobustModel estimate_homography(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// The fundamental matrix with bᵀ·F·a = 0, likewise, from at least 8 pairs.
RobustModel estimate_fundamental(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// The matched keypoints' positions, pair by pair. Throws Error(invalid_argument) for a match of a keypoint that is not
/// there.
struct PointPairs {
  std::vector<Point> a, b;
};
PointPairs point_pairs(const Features& a, const Features& b, std::span<const Match> matches);

}  // namespace octavo
