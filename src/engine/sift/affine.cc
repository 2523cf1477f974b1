#include "engine/sift/affine.h"

#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
// clang-format off
#include "engine/sift/frame_maths.h"
#include "engine/sift/pooling_maths.h"
#include "engine/sift/shape_maths.h"
// clang-format on

ShapeWindow shape_window(const PoolingRecord& pooling, const Oriented& keypoint) {
  return window_of_shape(pooling, keypoint);
}

Reach reach_of(const ShapeWindow& window, const Shape& shape) {
  return {reach_across(window, shape), reach_down(window, shape)};
}

Shape shape_of(const Moments& m) { return shape_of_moments(m.xx, m.xy, m.yy); }

}  // namespace octavo
