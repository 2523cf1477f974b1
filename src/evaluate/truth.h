#pragma once

#include <span>
#include <vector>

#include "octavo/evaluate.h"

namespace octavo::evaluation {

/// Where a matrix maps a point: (x/w, y/w). Not finite where w is 0.
Point project(const std::array<double, 9>& matrix, Point point);

/// The inverse, up to scale. Not finite where there is none.
std::array<double, 9> inverse(const std::array<double, 9>& matrix);

/// Whether the point is seen in the other image: on the same side of the horizon as the centre, and inside the frame.
bool is_seen(const std::array<double, 9>& matrix, Point point, ImageSize from, ImageSize to);

/// A keypoint with a place in the other image.
struct Placed {
  int keypoint = 0;
  Point in_b;  ///< where the truth says it is in B; for a keypoint of B, where it is
};

/// What the truth says of the keypoints of both images.
struct Common {
  std::vector<Placed> a, b;  ///< the keypoints in common, in order
};
Common common(const Features& a, const Features& b, const Truth& truth, ImageSize size_a, ImageSize size_b);

/// The error of every match [pixel of B]; NaN where the truth does not know it.
std::vector<double> match_errors(const Features& a, const Features& b, std::span<const Match> matches,
                                 const Truth& truth);

}  // namespace octavo::evaluation
