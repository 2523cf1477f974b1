// Orientations on the CPU. The pixels of a window are packed densely, so that no vector is cut off at the end of a row,
// and loops over all of them follow.

#include "engine/sift/windows_cpu.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/sift/orientation_cpu.cc"
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
#include "engine/sift/orientation_maths.h"
#include "engine/sift/window_maths.h"
}  // namespace vector

namespace paired {
#include "engine/sift/descriptor_maths.h"
#include "engine/sift/orientation_maths.h"
}  // namespace paired

// Each has what the next needs.
// clang-format off
#include "engine/sift/window_columns_per_isa.h"
#include "engine/sift/window_rows_per_isa.h"
#include "engine/sift/window_pixels_per_isa.h"
// clang-format on

// Neighbouring pixels vote for the same bins. Separate copies of these avoid waiting for the previous vote.
constexpr int vote_copies = 4;

struct VoteCopies {
  std::uint32_t votes[vote_copies][orientation_bins + 1] = {};

  // Adds `count` votes, rounded up to a multiple of vote_copies.
  HWY_INLINE void add(const std::int32_t* bins, const std::int32_t* counts, int count) {
    for (int at = 0; at < count; at += vote_copies) {
      for (int i = 0; i < vote_copies; ++i) votes[i][bins[at + i]] += static_cast<std::uint32_t>(counts[at + i]);
    }
  }

  HWY_INLINE void add_to(OrientationHistogram& sums) const {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += votes[0][i] + votes[1][i] + votes[2][i] + votes[3][i];
  }
};

// The pixels of an orientation's window, packed densely.
struct WindowPixels {
  float *gx, *gy, *weight;

  // Room for every pixel of a square of this radius, and two vectors more.
  WindowPixels(Plane& memory, int radius) {
    memory.resize((2 * radius + 1) * (2 * radius + 1) + 2 * vector_lanes, 3);
    gx = memory.row(0);
    gy = memory.row(1);
    weight = memory.row(2);
  }
};

// Returns their number. Pixels without weight follow up to a whole pair of vectors.
inline int pack_window(const Plane& level, const Extremum& e, int radius, float factor, const WindowPixels& pixels) {
  using namespace vector;
  const FloatTag d;
  float weights[window_width];
  column_weights(radius, factor, weights);
  const int x_begin = std::max(e.column - radius, 1), x_end = std::min(e.column + radius, level.width() - 2) + 1;
  const int y_begin = std::max(e.row - radius, 1), y_end = std::min(e.row + radius, level.height() - 2) + 1;
  const float* const columns = weights + radius - e.column;
  int count = 0;
  for (int y = y_begin; y < y_end; ++y) {
    const float* row = level.row(y);
    const float* above = level.row(y - 1);
    const float* below = level.row(y + 1);
    const float_v row_weight = splat(weights[radius + y - e.row] * vote_unit);
    // The next row overwrites what is beyond this one.
    for (int x = x_begin, at = count; x < x_end; x += vector_lanes, at += vector_lanes) {
      hn::StoreU(hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1), d, pixels.gx + at);
      hn::StoreU(hn::LoadU(d, below + x) - hn::LoadU(d, above + x), d, pixels.gy + at);
      hn::StoreU(row_weight * hn::LoadU(d, columns + x), d, pixels.weight + at);
    }
    count += std::max(x_end - x_begin, 0);
  }
  for (float* p : {pixels.gx, pixels.gy, pixels.weight}) {
    hn::StoreU(splat(0.0f), d, p + count);
    hn::StoreU(splat(0.0f), d, p + count + vector_lanes);
  }
  return count;
}

// Adds the votes of packed pixels, behind which lie two vectors of pixels without weight. vote_of(i) are those of a
// pair of vectors from i on. Meanwhile rows of the next window are fetched.
template <class VoteOf>
HWY_INLINE void add_up(int count, WindowPrefetch& next, const VoteOf& vote_of, OrientationHistogram& sums) {
  using namespace paired;
  // Arithmetic and counting alternate, so that none of them waits for the other.
  constexpr int batch = 4 * lanes;
  VoteCopies votes;
  HWY_ALIGN std::int32_t bins[batch + vote_copies], counts[batch + vote_copies];
  for (int begin = 0; begin < count; begin += batch) {
    next.fetch();
    const int n = std::min(batch, (count - begin + lanes - 1) / lanes * lanes);
    for (int i = 0; i < n; i += lanes) {
      const Vote vote = vote_of(begin + i);
      store(vote.bin, bins + i);
      store(vote.count, counts + i);
    }
    if constexpr (lanes % vote_copies != 0) {
      std::fill_n(bins + n, vote_copies, 0);
      std::fill_n(counts + n, vote_copies, 0);
    }
    votes.add(bins, counts, n);
  }
  votes.add_to(sums);
}

OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale, WindowPrefetch& next,
                                           Plane& memory) {
  using namespace paired;
  const int radius = orientation_radius(scale);
  const WindowPixels pixels(memory, radius);
  const int count = pack_window(level, e, radius, scalar::window_factor(1.5f * scale), pixels);
  OrientationHistogram histogram{};
  const auto vote_of = [&](int i) HWY_ATTR {
    return orientation_vote(load(pixels.gx + i), load(pixels.gy + i), load(pixels.weight + i));
  };
  add_up(count, next, vote_of, histogram);
  return histogram;
}

// Packs the pixels of a pooled window, and some whose distance is a little too large.
inline int pack_pooled_window(const Plane& level, const WindowFrame& w, const Pixels& pixels) {
  constexpr float reach = 1.5f;  // [cell]
  const int top = scalar::first_step(w.row, w.reach_y, w.step);
  const int bottom = scalar::last_step(w.row, level.height(), w.reach_y, w.step);
  RowRanges ranges(std::max(bottom + 1 - top, 0), scalar::first_step(w.column, w.reach_x, w.step),
                   scalar::last_step(w.column, level.width(), w.reach_x, w.step));
  const float step = static_cast<float>(w.step), first_y = static_cast<float>(top) - w.y / step;
  ranges.narrow(w.cells11 * step, w.cells12 * step, -w.x * w.cells11, first_y, reach);
  ranges.narrow(w.cells21 * step, w.cells22 * step, -w.x * w.cells21, first_y, reach);
  ranges.narrow_to_columns();
  return pack_rows(level, w, ranges, top, bottom, 0, pixels);
}

void add_votes(const Plane& level, const WindowFrame& w, WindowPrefetch& next, OrientationHistogram& sums,
               Plane& memory) {
  using namespace paired;
  const Pixels pixels(memory, w.reach_x, w.reach_y);
  const int count = pack_pooled_window(level, w, pixels);
  const float_v turn11 = splat(w.turn11), turn12 = splat(w.turn12);
  const float_v turn21 = splat(w.turn21), turn22 = splat(w.turn22), vote_of_one = splat(w.vote);
  const auto vote_of = [&](int i) HWY_ATTR {
    const float_v right = load(pixels.gx + i), down = load(pixels.gy + i);
    return window_vote(coordinate(right, down, turn11, turn12), coordinate(right, down, turn21, turn22),
                       load(pixels.column + i), load(pixels.row + i), vote_of_one);
  };
  add_up(count, next, vote_of, sums);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(orientation_histogram);
HWY_EXPORT(add_votes);

OrientationHistogram WindowsCpu::orientation_histogram(const Plane& level, const Extremum& e, float scale,
                                                       WindowPrefetch& next) {
  return pick(HWY_DISPATCH_TABLE(orientation_histogram), isa_)(level, e, scale, next, pixels_);
}

void WindowsCpu::add_votes(const Plane& level, const WindowFrame& window, WindowPrefetch& next,
                           OrientationHistogram& votes) {
  pick(HWY_DISPATCH_TABLE(add_votes), isa_)(level, window, next, votes, pixels_);
}

}  // namespace octavo
#endif
