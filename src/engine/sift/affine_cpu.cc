// Second moments on the CPU, row by row of the ellipse.

#include "engine/sift/windows_cpu.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/sift/affine_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace vector {
#include "engine/sift/descriptor_maths.h"
// This uses the functions of descriptor_maths.h.
#include "engine/sift/affine_maths.h"
}  // namespace vector

// The sum of 32-bit integers as 64 bits.
HWY_INLINE std::int64_t wide_sum(vector::int_v v) {
  namespace hn = vector::hn;
  HWY_ALIGN std::int32_t lanes[hn::MaxLanes(vector::IntTag())];
  hn::Store(v, vector::IntTag(), lanes);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(vector::IntTag()); ++i) sum += lanes[i];
  return sum;
}

Moments second_moments(const Plane& level, const ShapeWindow& w, const Shape& shape) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const Reach reach = reach_of(w, shape);
  const float_v yy = splat(shape.yy), minus_xy = splat(-shape.xy), factor = splat(w.factor), limit = splat(w.limit);
  const int y_begin = std::max(w.row - reach.down, 1), y_end = std::min(w.row + reach.down, level.height() - 2) + 1;
  // A lane holds the sums of `rows_at_once` rows, each with less than 2^7 pixels of a lane, in units of 2^−22.
  constexpr int rows_at_once = 4;
  Moments moments;
  for (int begin = y_begin; begin < y_end; begin += rows_at_once) {
    int_v xx = splat_int(0), xy = xx, yy_sum = xx;
    for (int y = begin; y < std::min(begin + rows_at_once, y_end); ++y) {
      const float dy = static_cast<float>(y - w.row) - w.y, down = dy * shape.xx;
      const float rest = w.limit - down * down;
      if (rest <= 0) continue;
      // The chord of the ellipse, and a pixel more to each side.
      const float middle = w.x + dy * shape.xy * shape.xx, half = std::sqrt(rest) * shape.xx + 1;
      const int first = std::max(static_cast<int>(std::floor(middle - half)), 1 - w.column);
      const int last = std::min(static_cast<int>(std::ceil(middle + half)), level.width() - 2 - w.column);
      const float* row = level.row(y) + w.column;
      const float* above = level.row(y - 1) + w.column;
      const float* below = level.row(y + 1) + w.column;
      const float_v vdy = splat(dy), vdown = splat(down);
      for (int x = first; x <= last; x += lanes) {
        const float_v across = hn::Iota(d, static_cast<float>(x)) - splat(w.x);
        float_v gx = hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1);
        float_v gy = hn::LoadU(d, below + x) - hn::LoadU(d, above + x);
        if (x + lanes > last + 1) {
          const mask_v inside = hn::FirstN(d, static_cast<std::size_t>(last + 1 - x));
          gx = hn::IfThenElseZero(inside, gx);
          gy = hn::IfThenElseZero(inside, gy);
        }
        const Products p = weighted_products(gx, gy, coordinate(across, vdy, yy, minus_xy), vdown, factor, limit);
        xx = add(xx, p.xx);
        xy = add(xy, p.xy);
        yy_sum = add(yy_sum, p.yy);
      }
    }
    moments.xx += wide_sum(xx);
    moments.xy += wide_sum(xy);
    moments.yy += wide_sum(yy_sum);
  }
  return moments;
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(second_moments);

Moments WindowsCpu::second_moments(const Plane& level, const ShapeWindow& window, const Shape& shape) const {
  return pick(HWY_DISPATCH_TABLE(second_moments), isa_)(level, window, shape);
}

}  // namespace octavo
#endif
