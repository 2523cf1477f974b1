#pragma once

#include <span>
#include <vector>

#include "octavo/api.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace OCTAVO_API octavo {

struct Point {
  double x = 0;  ///< [pixel]
  double y = 0;  ///< [pixel]
};

/// The positions of matched keypoints: a[i] and b[i] are a pair.
struct PointPairs {
  std::vector<Point> a, b;
};

/// The positions of the matched keypoints, in the order of the matches. Throws Error(invalid_argument) for a match
/// whose index is out of range.
PointPairs point_pairs(const Features& a, const Features& b, std::span<const Match> matches);

}  // namespace octavo
