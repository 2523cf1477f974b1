#include "sift/extrema_cpu.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sift/extrema_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two above must come first.
#include "maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
// Refine is written in the words of refinement_maths.h.
// clang-format off
#include "sift/refinement_maths.h"
#include "sift/refine.h"
// clang-format on
}  // namespace scalar

/// out = b − a for columns [x_begin, x_end), rounded out to whole vectors.
void subtract_rows(const float* a, const float* b, int x_begin, int x_end, float* out) {
  using namespace vector;
  const Reals d;
  for (int x = x_begin; x < x_end; x += static_cast<int>(hn::Lanes(d))) {
    hn::StoreU(hn::LoadU(d, b + x) - hn::LoadU(d, a + x), d, out + x);
  }
}

/// Columns of [x_begin, x_end) where the middle row of the middle layer is above `candidate` and greater, or below
/// −`candidate` and less, than all 26 neighbours. rows[layer][row] with [x] = column x. Returns how many were written
/// to `columns`.
int find_extrema(const float* const rows[3][3], float candidate, int x_begin, int x_end, int* columns) {
  using namespace vector;
  const Reals d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const real threshold = constant(candidate);
  int count = 0;
  for (int x = x_begin; x < x_end; x += lanes) {
    const real value = hn::LoadU(d, rows[1][1] + x);
    truth high = hn::Gt(value, threshold), low = hn::Lt(value, hn::Neg(threshold));
    if (x + lanes > x_end) {
      const truth inside = hn::FirstN(d, static_cast<std::size_t>(x_end - x));
      high = hn::And(high, inside);
      low = hn::And(low, inside);
    }
    if (hn::AllFalse(d, hn::Or(high, low))) continue;

    // The neighbours in the same layer rule out most candidates.
    const auto against = [&](const float* row, int shift) HWY_ATTR {
      const real neighbour = hn::LoadU(d, row + x + shift);
      high = hn::And(high, hn::Gt(value, neighbour));
      low = hn::And(low, hn::Lt(value, neighbour));
    };
    against(rows[1][1], -1);
    against(rows[1][1], 1);
    for (int shift = -1; shift <= 1; ++shift) {
      against(rows[1][0], shift);
      against(rows[1][2], shift);
    }
    if (hn::AllFalse(d, hn::Or(high, low))) continue;
    for (int row = 0; row < 3; ++row) {
      for (int shift = -1; shift <= 1; ++shift) {
        against(rows[0][row], shift);
        against(rows[2][row], shift);
      }
    }
    const truth extreme = hn::Or(high, low);
    if (hn::AllFalse(d, extreme)) continue;
    HWY_ALIGN std::int32_t lane_columns[hn::MaxLanes(Integers())];
    hn::Store(hn::IfThenElse(hn::RebindMask(Integers(), extreme), hn::Iota(Integers(), x), whole(-1)), Integers(),
              lane_columns);
    for (int i = 0; i < lanes; ++i) {
      if (lane_columns[i] >= 0) columns[count++] = lane_columns[i];
    }
  }
  return count;
}

bool refine_extremum(const std::vector<LevelRows>& levels, const ExtremumLimits& limits, int width, int height,
                     Extremum& e) {
  const auto cube_at = [&](int layer, int row, int column, float* cube) HWY_ATTR {
    for (int s = -1; s <= 1; ++s) {
      const LevelRows& lower = levels[static_cast<std::size_t>(layer + s)];
      const LevelRows& upper = levels[static_cast<std::size_t>(layer + s + 1)];
      for (int y = row - 1; y <= row + 1; ++y) {
        const float* a = lower.row(y);
        const float* b = upper.row(y);
        for (int x = column - 1; x <= column + 1; ++x) *cube++ = b[x] - a[x];
      }
    }
  };
  return scalar::refine(cube_at, limits, width, height, e);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(subtract_rows);
HWY_EXPORT(find_extrema);
HWY_EXPORT(refine_extremum);

namespace {
constexpr int kept_rows = 3;
constexpr int margin = 16;  // columns beside the tile, so that whole vectors may be read
}  // namespace

void ExtremaCpu::begin(const ExtremumLimits& limits, Size octave, const Tile& tile, std::vector<Extremum>* found) {
  limits_ = limits;
  octave_ = octave;
  tile_ = tile;
  found_ = found;
  differences_.resize(tile.x_end - tile.x_begin + 4 * margin, kept_rows * (limits.layers + 2));
  next_difference_ = std::max(tile.y_begin - 1, 0);
}

void ExtremaCpu::rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) {
  const int x_begin = std::max(tile_.x_begin, extrema_border);
  const int x_end = std::min(tile_.x_end, octave_.width - extrema_border);
  if (x_begin >= x_end) return;
  const auto difference_row = [&](int layer, int y) {
    return differences_.row(layer * kept_rows + y % kept_rows) + margin - tile_.x_begin;
  };
  const auto subtract = pick(HWY_DISPATCH_TABLE(subtract_rows), isa_);
  const auto find = pick(HWY_DISPATCH_TABLE(find_extrema), isa_);
  const auto refine = pick(HWY_DISPATCH_TABLE(refine_extremum), isa_);
  std::vector<int> columns(static_cast<std::size_t>(x_end - x_begin));

  for (int y = y_begin; y < y_end; ++y) {
    for (; next_difference_ <= std::min(y + 1, octave_.height - 1); ++next_difference_) {
      for (int layer = 0; layer < limits_.layers + 2; ++layer) {
        const std::size_t i = static_cast<std::size_t>(layer);
        subtract(levels[i].row(next_difference_), levels[i + 1].row(next_difference_),
                 std::max(tile_.x_begin - margin, 0), x_end + 1, difference_row(layer, next_difference_));
      }
    }
    if (y < extrema_border || y >= octave_.height - extrema_border) continue;
    for (int layer = 1; layer <= limits_.layers; ++layer) {
      const float* rows[3][3];
      for (int s = 0; s < 3; ++s) {
        for (int r = 0; r < 3; ++r) rows[s][r] = difference_row(layer + s - 1, y + r - 1);
      }
      const int count = find(rows, limits_.candidate, x_begin, x_end, columns.data());
      for (int i = 0; i < count; ++i) {
        Extremum e{layer, y, columns[static_cast<std::size_t>(i)]};
        if (refine(levels, limits_, octave_.width, octave_.height, e)) found_->push_back(e);
      }
    }
  }
}

}  // namespace octavo
#endif
