// The sums of descriptors on the CPU. The pixels of a descriptor's turned square are first packed densely, so that no
// arithmetic is spent on pixels outside it. Then gradients become votes, and votes are shared out: loops of their own,
// so short that a processor works on several of their turns at a time.

#include "engine/sift/windows_cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/sift/descriptor_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
// clang-format off
#include "engine/sift/descriptor_maths.h"
// clang-format on
#include "engine/sift/window_maths.h"
#include "engine/sift/window_steps.h"
}  // namespace scalar

namespace vector {
#include "engine/sift/descriptor_maths.h"
// This uses the functions of descriptor_maths.h.
#include "engine/sift/affine_maths.h"
#include "engine/sift/window_maths.h"
}  // namespace vector

namespace paired {
#include "engine/sift/descriptor_maths.h"
}  // namespace paired

// Each has what the next needs.
// clang-format off
#include "engine/sift/window_columns_per_isa.h"
#include "engine/sift/window_rows_per_isa.h"
#include "engine/sift/window_pixels_per_isa.h"
// clang-format on
#include "engine/sift/share_sums_per_isa.h"

// Whether a position in cells is less than one cell from one of the 4×4.
HWY_INLINE vector::mask_v touches_cells(vector::float_v column, vector::float_v row) {
  using namespace vector;
  return logical_and(logical_and(less_than(splat(-1), column), less_than(column, splat(4))),
                     logical_and(less_than(splat(-1), row), less_than(row, splat(4))));
}

inline int pack_pixels(const Plane& level, const Oriented& keypoint, const DescriptorFrame& frame,
                       const Pixels& pixels) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int radius = frame.radius;
  const Extremum& e = keypoint.extremum;
  float weights[window_width];
  column_weights(radius, scalar::window_factor(frame.deviation), weights);

  const float_v cosine = splat(frame.cosine), sine = splat(frame.sine);
  const int y_begin = std::max(e.row - radius, 1), y_end = std::min(e.row + radius, level.height() - 2) + 1;
  RowRanges ranges(std::max(y_end - y_begin, 0), std::max(-radius, 1 - e.column),
                   std::min(radius, level.width() - 2 - e.column));
  const float first_y = static_cast<float>(y_begin - e.row);
  ranges.narrow(frame.cosine, frame.sine, 0, first_y, 2.5f);
  ranges.narrow(-frame.sine, frame.cosine, 0, first_y, 2.5f);
  ranges.narrow_exactly(y_begin - e.row, [&](float_v x, float_v y) HWY_ATTR {
    return touches_cells(cell_column(x, y, cosine, sine), cell_row(x, y, cosine, sine));
  });
  int count = 0;
  for (int y = y_begin; y < y_end; ++y) {
    const int first = ranges.first(y - y_begin), last = ranges.last(y - y_begin);
    const float* row = level.row(y) + e.column;
    const float* above = level.row(y - 1) + e.column;
    const float* below = level.row(y + 1) + e.column;
    const float_v row_weight = splat(weights[radius + y - e.row] * vote_unit);
    const float_v vdy = splat(static_cast<float>(y - e.row));
    // The next row overwrites what is beyond this one.
    for (int x = first, at = count; x <= last; x += lanes, at += lanes) {
      const float_v vdx = hn::Iota(d, static_cast<float>(x));
      hn::StoreU(hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1), d, pixels.gx + at);
      hn::StoreU(hn::LoadU(d, below + x) - hn::LoadU(d, above + x), d, pixels.gy + at);
      hn::StoreU(cell_column(vdx, vdy, cosine, sine), d, pixels.column + at);
      hn::StoreU(cell_row(vdx, vdy, cosine, sine), d, pixels.row + at);
      hn::StoreU(row_weight * hn::LoadU(d, weights + radius + x), d, pixels.weight + at);
    }
    count += std::max(last + 1 - first, 0);
  }
  pixels.end(count);
  return count;
}

HWY_INLINE DescriptorHistogram sum_of_votes(const Pixels& pixels, int count, WindowPrefetch& next) {
  using namespace paired;
  return sum_of_shares(count, next, [&](int i, int j) HWY_ATTR {
    const auto both = [&](const float* values) HWY_ATTR { return load(values + i, values + j); };
    return shares_of_vote(both(pixels.gx), both(pixels.gy), both(pixels.column), both(pixels.row));
  });
}

DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint, WindowPrefetch& next,
                                         Plane& memory) {
  using namespace paired;
  const DescriptorFrame frame = descriptor_frame(keypoint);
  const Pixels pixels(memory, frame.radius, frame.radius);
  const int count = pack_pixels(level, keypoint, frame, pixels);
  const float_v turns = splat(keypoint.turns);
  for (int i = 0; i < count; i += lanes) {
    const float_v gx = load(pixels.gx + i), gy = load(pixels.gy + i);
    store_pair(size_of_vote(gx, gy, load(pixels.weight + i)), pixels.gx + i);
    store_pair(direction_of_vote(gx, gy, turns), pixels.gy + i);
  }
  return sum_of_votes(pixels, count, next);
}

// Packs the pixels of a window of any size, without weights.
inline int pack_pixels(const Plane& level, const WindowFrame& window, const Pixels& pixels) {
  using namespace vector;
  const int top = scalar::first_step(window.row, window.reach_y, window.step);
  const int bottom = scalar::last_step(window.row, level.height(), window.reach_y, window.step);
  RowRanges ranges(std::max(bottom + 1 - top, 0), scalar::first_step(window.column, window.reach_x, window.step),
                   scalar::last_step(window.column, level.width(), window.reach_x, window.step));
  const float step = static_cast<float>(window.step), first_y = static_cast<float>(top) - window.y / step;
  ranges.narrow(window.cells11 * step, window.cells12 * step, -window.x * window.cells11, first_y, 2.5f);
  ranges.narrow(window.cells21 * step, window.cells22 * step, -window.x * window.cells21, first_y, 2.5f);
  const float_v middle = splat(1.5f);
  const float_v cells11 = splat(window.cells11), cells12 = splat(window.cells12);
  const float_v cells21 = splat(window.cells21), cells22 = splat(window.cells22);
  ranges.narrow_exactly(top, [&](float_v x, float_v y) HWY_ATTR {
    const float_v dx = x * splat(step) - splat(window.x), dy = y * splat(step) - splat(window.y);
    return touches_cells(coordinate(dx, dy, cells11, cells12) + middle, coordinate(dx, dy, cells21, cells22) + middle);
  });
  return pack_rows(level, window, ranges, top, bottom, 1.5f, pixels);
}

DescriptorHistogram window_histogram(const Plane& level, const WindowFrame& window, WindowPrefetch& next,
                                     Plane& memory) {
  using namespace paired;
  const Pixels pixels(memory, window.reach_x, window.reach_y);
  const int count = pack_pixels(level, window, pixels);
  const float_v turn11 = splat(window.turn11), turn12 = splat(window.turn12);
  const float_v turn21 = splat(window.turn21), turn22 = splat(window.turn22);
  for (int i = 0; i < count; i += lanes) {
    next.fetch();
    const float_v right = load(pixels.gx + i), down = load(pixels.gy + i);
    const float_v gx = coordinate(right, down, turn11, turn12), gy = coordinate(right, down, turn21, turn22);
    store_pair(size_of_vote(gx, gy, weight_in_window(load(pixels.column + i), load(pixels.row + i))), pixels.gx + i);
    store_pair(direction_of_vote(gx, gy, splat(0.0f)), pixels.gy + i);
  }
  return sum_of_votes(pixels, count, next);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(descriptor_histogram);
HWY_EXPORT(window_histogram);

DescriptorHistogram WindowsCpu::descriptor_histogram(const Plane& level, const Oriented& keypoint,
                                                     WindowPrefetch& next) {
  return pick(HWY_DISPATCH_TABLE(descriptor_histogram), isa_)(level, keypoint, next, pixels_);
}

DescriptorHistogram WindowsCpu::descriptor_histogram(const Plane& level, const WindowFrame& window,
                                                     WindowPrefetch& next) {
  return pick(HWY_DISPATCH_TABLE(window_histogram), isa_)(level, window, next, pixels_);
}

}  // namespace octavo
#endif
