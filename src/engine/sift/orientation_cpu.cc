// Orientations on the CPU. The pixels of a circle are packed densely, so that no vector is cut off at the end of a row.
// Pixels of pooled windows are not: votes are. (Two of their rows at a time take a tenth less, for much more code.)

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

#include "engine/sift/window_columns_per_isa.h"

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

OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale, WindowPrefetch& next,
                                           Plane& memory) {
  using namespace paired;
  const int radius = orientation_radius(scale);
  const WindowPixels pixels(memory, radius);
  const int count = pack_window(level, e, radius, scalar::window_factor(1.5f * scale), pixels);

  // Arithmetic and counting alternate, so that none of them waits for the other.
  constexpr int batch = 4 * lanes;
  VoteCopies votes;
  HWY_ALIGN std::int32_t bins[batch + vote_copies], counts[batch + vote_copies];
  for (int begin = 0; begin < count; begin += batch) {
    next.fetch();
    const int n = std::min(batch, (count - begin + lanes - 1) / lanes * lanes);
    for (int i = 0; i < n; i += lanes) {
      const Vote vote =
          orientation_vote(load(pixels.gx + begin + i), load(pixels.gy + begin + i), load(pixels.weight + begin + i));
      store(vote.bin, bins + i);
      store(vote.count, counts + i);
    }
    if constexpr (lanes % vote_copies != 0) {
      std::fill_n(bins + n, vote_copies, 0);
      std::fill_n(counts + n, vote_copies, 0);
    }
    votes.add(bins, counts, n);
  }
  OrientationHistogram histogram{};
  votes.add_to(histogram);
  return histogram;
}

// Narrows first … last to the range where |dx·slope + offset| < reach, which may be up to a pixel too wide.
inline void narrow(float one_by_slope, float offset, int& first, int& last, float reach = 2.5f) {
  const float a = (-reach - offset) * one_by_slope, b = (reach - offset) * one_by_slope;
  const float low = std::min(a, b), high = std::max(a, b);
  // More than any radius: truncated values are positive, and so are rounded down.
  constexpr float shift = 1024;
  if (low > static_cast<float>(first)) first = static_cast<int>(std::min(low, shift) + shift) - 1024;
  // Just below `last` the sum is rounded up to it.
  if (high < static_cast<float>(last)) last = std::min(static_cast<int>(std::max(high, -shift) + shift) - 1023, last);
}

// The votes of a window, packed densely.
struct WindowVotes {
  std::int32_t *bins, *counts;

  // Room for every pixel of an upright rectangle of these distances from its centre, and what follows.
  WindowVotes(Plane& memory, int reach_x, int reach_y) {
    memory.resize((2 * reach_x + 1) * (2 * reach_y + 1) + vector_lanes + vote_copies, 2);
    bins = reinterpret_cast<std::int32_t*>(memory.row(0));
    counts = reinterpret_cast<std::int32_t*>(memory.row(1));
  }
};

// Returns their number. Votes of nothing follow, so that every copy has as many.
inline int pack_votes(const Plane& level, const WindowFrame& w, WindowPrefetch& next, const WindowVotes& votes) {
  using namespace vector;
  const FloatTag d;
  const float_v cells11 = splat(w.cells11), cells12 = splat(w.cells12);
  const float_v cells21 = splat(w.cells21), cells22 = splat(w.cells22);
  const float_v turn11 = splat(w.turn11), turn12 = splat(w.turn12);
  const float_v turn21 = splat(w.turn21), turn22 = splat(w.turn22), vote_of_one = splat(w.vote);
  const int first_column = scalar::first_step(w.column, w.reach_x, w.step);
  const int last_column = scalar::last_step(w.column, level.width(), w.reach_x, w.step);
  const int bottom = scalar::last_step(w.row, level.height(), w.reach_y, w.step);
  const float step = static_cast<float>(w.step), one_by_slope = 1 / (w.cells11 * step);
  int count = 0;
  for (int i = scalar::first_step(w.row, w.reach_y, w.step); i <= bottom; ++i) {
    const int y = w.row + i * w.step;
    const float dy = static_cast<float>(y - w.row) - w.y;
    // The window is upright, so that a row of it is a row of cells.
    if (std::abs(dy * w.cells22) > 1.6f) continue;
    next.fetch();
    int first = first_column, last = last_column;
    narrow(one_by_slope, dy * w.cells12 - w.x * w.cells11, first, last, 1.6f);
    const float* row = level.row(y) + w.column;
    const float* above = level.row(y - 1) + w.column;
    const float* below = level.row(y + 1) + w.column;
    const float_v down = splat(dy);
    // The next row overwrites what is beyond this one.
    for (int j = first, at = count; j <= last; j += vector_lanes, at += vector_lanes) {
      const int x = j * w.step;
      const float_v across = hn::Iota(d, static_cast<float>(j)) * splat(step) - splat(w.x);
      const float_v gx = load_steps(row + x + 1, w.step) - load_steps(row + x - 1, w.step);
      const float_v gy = load_steps(below + x, w.step) - load_steps(above + x, w.step);
      const Vote vote = window_vote(coordinate(gx, gy, turn11, turn12), coordinate(gx, gy, turn21, turn22),
                                    coordinate(across, down, cells11, cells12),
                                    coordinate(across, down, cells21, cells22), vote_of_one);
      hn::StoreU(vote.bin, IntTag(), votes.bins + at);
      hn::StoreU(vote.count, IntTag(), votes.counts + at);
    }
    count += std::max(last + 1 - first, 0);
  }
  std::fill_n(votes.bins + count, vote_copies, 0);
  std::fill_n(votes.counts + count, vote_copies, 0);
  return count;
}

void add_votes(const Plane& level, const WindowFrame& w, WindowPrefetch& next, OrientationHistogram& sums,
               Plane& memory) {
  const WindowVotes votes(memory, w.reach_x, w.reach_y);
  const int count = pack_votes(level, w, next, votes);
  VoteCopies copies;
  copies.add(votes.bins, votes.counts, count);
  copies.add_to(sums);
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
