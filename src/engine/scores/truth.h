#pragma once

#include <span>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/pair_scores.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API evaluation {

/// The point to which a homography (row by row) maps a point: (x/w, y/w). Not finite if w is 0.
Point project(const std::array<double, 9>& matrix, Point point);

/// The inverse. Not finite if the matrix has no inverse.
std::array<double, 9> inverse(const std::array<double, 9>& matrix);

/// Whether the other image shows the point: it is on the same side of the horizon as the centre, and inside the frame.
bool is_seen(const std::array<double, 9>& matrix, Point point, ImageSize from, ImageSize to);

/// A keypoint with a place in the other image.
struct Placed {
  int keypoint = 0;
  Point in_b;  ///< the true place in B of a keypoint of A; the own place of a keypoint of B
};

/// The keypoints of both images that both images show, by the truth.
struct Common {
  std::vector<Placed> a, b;  ///< the keypoints in common, in order
};
Common common(const Features& a, const Features& b, const Truth& truth, ImageSize size_a, ImageSize size_b);

/// The error of every match [pixel of B]; NaN if the truth does not give it.
std::vector<double> match_errors(const Features& a, const Features& b, std::span<const Match> matches,
                                 const Truth& truth);

}  // namespace evaluation
}  // namespace octavo
