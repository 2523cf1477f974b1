// Scenes whose pairs mostly lie on one plane. A homography H and any epipole e of b make a fundamental matrix F =
// [e]×·H with which all pairs of the plane agree, so a robust estimator that counts pairs takes nearly any of them
// (Chum, Werner and Matas, "Two-view geometry estimation unaffected by a dominant plane", CVPR 2005). The pairs off the
// plane decide: each gives a line through b and H·a on which e lies, two of them give e.

#pragma once

#include <array>
#include <span>

#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"

namespace octavo {

struct DominantPlane {
  bool is_there = false;                ///< more than half of the pairs that agree with F lie on one plane
  bool is_alone = false;                ///< and of the others no more agree than chance gives: nothing determines F
  std::array<double, 9> fundamental{};  ///< F of the plane and of the pairs off it; F itself without a plane
};

/// `inliers` tells the pairs that agree with the fundamental matrix, one number each.
DominantPlane dominant_plane_of(std::span<const Point> a, std::span<const Point> b,
                                const std::array<double, 9>& fundamental, std::span<const std::uint8_t> inliers,
                                const RobustOptions& options);

}  // namespace octavo
