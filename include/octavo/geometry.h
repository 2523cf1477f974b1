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

/// How the robust estimators of OpenCV's USAC framework are run.
struct RobustOptions {
  enum class Method { magsac, ransac, prosac };
  Method method = Method::magsac;  ///< MAGSAC++ (Barath et al., CVPR 2020)
  double threshold = 3;            ///< [pixel], (0, 1000]: an inlier's largest error
  double confidence = 0.999;       ///< (0, 1)
  int max_iterations = 10000;      ///< 1…10 000 000
  int seed = 0;                    ///< the same seed gives the same model
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const RobustOptions& options);

/// A model b_from_a (3×3, row by row, 9 numbers), or the reason why there is none.
struct RobustModel {
  bool found = false;
  std::string reason;                       ///< why not, one sentence; empty if found
  std::array<double, 9> b_from_a{};         ///< a homography has b_from_a[8] = 1; a fundamental matrix unit Frobenius norm
  std::vector<std::uint8_t> inliers;        ///< one per pair, 1 or 0
  int inlier_count = 0;
  double mean_inlier_error = 0;             ///< [pixel] homography: distance |b − H·a|; fundamental: distance of b to F·a
};

/// The homography that maps points of a onto points of b. The spans have equal lengths, else Error(invalid_argument).
/// Fewer than 4 pairs, all on a line, or all equal give found = false, never a crash.
RobustModel estimate_homography(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// The fundamental matrix with bᵀ·F·a = 0; fewer than 8 pairs (7 for USAC) or degenerate ones give found = false.
RobustModel estimate_fundamental(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// The matched keypoints' positions, pair by pair.
struct PointPairs {
  std::vector<Point> a, b;
};
PointPairs point_pairs(const Features& a, const Features& b, std::span<const Match> matches);

}  // namespace octavo
