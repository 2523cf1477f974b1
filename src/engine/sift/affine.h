// The affine shape of keypoints: the ellipse in whose frame the gradients around a point have no preferred axis. A
// plane that is seen at a slant is stretched along one axis. Windows that are stretched likewise see the same part of
// it (Lindeberg and Gårding 1997; Baumberg 2000; Mikolajczyk and Schmid, "Scale & affine invariant interest point
// detectors", IJCV 60(1), 2004).
//
// A shape S maps the circle of radius σ to the ellipse. It has determinant 1, so that the area stays. The second
// moments of the gradients g in a Gaussian window of that shape are μ = Σ w g gᵀ. In the frame of S they are Sᵀ μ S.
// This is a multiple of the identity if S Sᵀ is a multiple of μ⁻¹. So each step takes the S of the μ before it,
// beginning with the circle. The number of steps is fixed. The gradients are those of the image whose blur is nearest
// to σ, and the window has the deviation 2σ and ends at 2.5 deviations. The blur is round, so an ellipse is less
// stretched than what it is fitted to: squares of axes add up. Finer images bias it less, but match fewer points
// (docs/evaluation.md).
//
// A shape whose axes would differ by more than a factor of 4, or whose moments vanish in a direction, is refused: such
// a point lies on an edge and its ellipse would grow without end. The keypoint keeps its circle.

#pragma once

#include <cstdint>

#include "engine/extract/oriented.h"
#include "engine/maths/host_spelling.h"
#include "engine/sift/pooling.h"

namespace octavo {

#include "engine/sift/affine_records.h"

/// Sums of products of gradients, in units of 2^−22.
struct Moments {
  std::int64_t xx = 0, xy = 0, yy = 0;
  friend bool operator==(const Moments&, const Moments&) = default;
};

/// The window of a keypoint's second moments.
ShapeWindow shape_window(const PoolingRecord& pooling, const Oriented& keypoint);

/// [pixel] the distances from the centre beyond which no place has a weight.
struct Reach {
  int across = 0, down = 0;
};
Reach reach_of(const ShapeWindow& window, const Shape& shape);

/// The shape of these moments. Its xx is 0 if it is refused.
Shape shape_of(const Moments& moments);

/// The shape of a keypoint. `moments_in(shape)` are those of its window in that shape.
template <class MomentsIn>
Shape affine_shape(const MomentsIn& moments_in) {
  Shape shape;
  for (int step = 0; step < shape_steps; ++step) {
    shape = shape_of(moments_in(shape));
    if (shape.xx == 0) return {};
  }
  return shape;
}

}  // namespace octavo
