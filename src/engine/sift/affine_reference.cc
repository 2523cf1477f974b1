#include "engine/maths/scalar.h"
#include "engine/sift/stages_reference.h"

namespace octavo::reference {

using namespace maths;
// clang-format off
#include "engine/sift/descriptor_maths.h"
#include "engine/sift/affine_maths.h"
// clang-format on

Moments second_moments(const Plane& level, const ShapeWindow& window, const Shape& shape) {
  const Reach reach = reach_of(window, shape);
  Moments moments;
  for (int dy = -reach.down; dy <= reach.down; ++dy) {
    const int y = window.row + dy;
    if (y < 1 || y > level.height() - 2) continue;
    const float_v down = to_float(dy) - window.y;
    for (int dx = -reach.across; dx <= reach.across; ++dx) {
      const int x = window.column + dx;
      if (x < 1 || x > level.width() - 2) continue;
      const float_v across = to_float(dx) - window.x;
      const float_v gx = level.row(y)[x + 1] - level.row(y)[x - 1];
      const float_v gy = level.row(y + 1)[x] - level.row(y - 1)[x];
      const Products p = weighted_products(gx, gy, coordinate(across, down, shape.yy, negate(shape.xy)),
                                           down * shape.xx, window.factor, window.limit);
      moments.xx += p.xx;
      moments.xy += p.xy;
      moments.yy += p.yy;
    }
  }
  return moments;
}

}  // namespace octavo::reference
