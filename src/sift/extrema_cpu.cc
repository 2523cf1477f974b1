// A value is extreme among its 26 neighbours if it exceeds the other eight of its own column (three rows, three layers)
// and the highest of the nine values in each of the two neighbouring columns; minima likewise. The nine are found once
// for all layers with aligned loads. Few columns remain for the full test.

#include "sift/extrema_cpu.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sift/extrema_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
// Refine uses the primitives of refinement_maths.h.
// clang-format off
#include "sift/refinement_maths.h"

using Differences = const LevelRows*;

inline void difference_cube(Differences levels, int layer, int row, int column, float_v* cube) {
  for (int s = -1; s <= 1; ++s) {
    const LevelRows* level = levels + layer + s;
    for (int y = row - 1; y <= row + 1; ++y) {
      const float* a = level[0].row(y);
      const float* b = level[1].row(y);
      for (int x = column - 1; x <= column + 1; ++x) *cube++ = b[x] - a[x];
    }
  }
}

#include "sift/refine.h"
// clang-format on
}  // namespace scalar

/// out = b − a for columns [x_begin, x_end), rounded out to whole vectors.
void subtract_rows(const float* a, const float* b, int x_begin, int x_end, float* out) {
  using namespace vector;
  const FloatTag d;
  for (int x = x_begin; x < x_end; x += static_cast<int>(hn::Lanes(d))) {
    hn::StoreU(hn::LoadU(d, b + x) - hn::LoadU(d, a + x), d, out + x);
  }
}

/// Finds, for the row y of every layer, the columns that hold a value beyond ±candidate that no neighbour of the same
/// column matches, and the extremes of all nine differences of a column. rows[3·layer + r] is the difference row y − 1
/// + r of layer 0 … layers + 1. Rows y + 1 are computed here, from the same rows of the Gaussian images. The results
/// are written to highest[layer − 1], lowest[layer − 1] and flags[layer − 1] for layers 1 … layers. Flags have one bit
/// per column, in whole vectors from x_begin on.
void survey_columns(float* const* rows, const float* const* images, int layers, float candidate, int x_begin, int x_end,
                    float* const* highest, float* const* lowest, std::uint8_t* const* flags) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr std::size_t flag_bytes = (hn::MaxLanes(FloatTag()) + 7) / 8;
  const float_v threshold = splat(candidate), minus_threshold = splat(-candidate);
  std::size_t flag = 0;
  for (int x = x_begin; x < x_end; x += lanes, flag += flag_bytes) {
    const float_v none = splat(0.0f);
    // Extremes of three rows, two layers and one layer down.
    float_v high_below = none, low_below = none, high_here = none, low_here = none;
    // In the middle layer: row y; extremes of rows y − 1 and y + 1.
    float_v value = none, sides_high = none, sides_low = none;
    float_v image = hn::LoadU(d, images[0] + x);
    for (int layer = 0; layer < layers + 2; ++layer) {
      float* const* r = rows + 3 * layer;
      const float_v next_image = hn::LoadU(d, images[layer + 1] + x);
      const float_v below = next_image - image;
      image = next_image;
      hn::StoreU(below, d, r[2] + x);
      const float_v above = hn::LoadU(d, r[0] + x), centre = hn::LoadU(d, r[1] + x);
      const float_v pair_high = maximum(above, below), pair_low = minimum(above, below);
      const float_v high = maximum(pair_high, centre), low = minimum(pair_low, centre);
      if (layer >= 2) {
        const float_v around_high = maximum(maximum(high_below, high), sides_high);
        const float_v around_low = minimum(minimum(low_below, low), sides_low);
        const mask_v peak = hn::And(hn::Gt(value, threshold), hn::Gt(value, around_high));
        const mask_v pit = hn::And(hn::Lt(value, minus_threshold), hn::Lt(value, around_low));
        hn::StoreU(maximum(around_high, value), d, highest[layer - 2] + x);
        hn::StoreU(minimum(around_low, value), d, lowest[layer - 2] + x);
        hn::StoreMaskBits(d, hn::Or(peak, pit), flags[layer - 2] + flag);
      }
      high_below = high_here;
      low_below = low_here;
      high_here = high;
      low_here = low;
      value = centre;
      sides_high = pair_high;
      sides_low = pair_low;
    }
  }
}

/// Keeps those columns in [first, last), flagged by survey_columns, that the neighbouring columns do not match either.
/// Returns the number of columns written to `columns`.
int confirm_columns(const float* values, const float* highest, const float* lowest, const std::uint8_t* flags,
                    int x_begin, int first, int last, int* columns) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr std::size_t flag_bytes = (hn::MaxLanes(FloatTag()) + 7) / 8;
  int count = 0;
  for (int x = x_begin; x < last; x += lanes, flags += flag_bytes) {
    std::uint32_t flagged = 0;
    std::memcpy(&flagged, flags, flag_bytes);
    if (flagged == 0) continue;
    const float_v value = hn::LoadU(d, values + x);
    const mask_v peak =
        hn::And(hn::Gt(value, hn::LoadU(d, highest + x - 1)), hn::Gt(value, hn::LoadU(d, highest + x + 1)));
    const mask_v pit =
        hn::And(hn::Lt(value, hn::LoadU(d, lowest + x - 1)), hn::Lt(value, hn::LoadU(d, lowest + x + 1)));
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Or(peak, pit), bytes);
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes, flag_bytes);
    for (bits &= flagged; bits != 0; bits &= bits - 1) {
      const int column = x + std::countr_zero(bits);
      if (column >= first && column < last) columns[count++] = column;
    }
  }
  return count;
}

bool refine_extremum(const std::vector<LevelRows>& levels, const ExtremumLimits& limits, int width, int height,
                     Extremum& e) {
  return scalar::refine(levels.data(), limits, width, height, &e) == refinement_done;
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(subtract_rows);
HWY_EXPORT(survey_columns);
HWY_EXPORT(confirm_columns);
HWY_EXPORT(refine_extremum);

namespace {
constexpr int kept_rows = 3;
// Columns beside the tile, so that whole vectors may be read.
constexpr int margin = 16;
// Columns searched at a time: their differences fit the first-level cache.
constexpr int block = 256;

int columns_of(const Tile& tile) { return tile.x_end - tile.x_begin + 4 * margin; }
int rows_of(int layers) { return kept_rows * (layers + 2) + 2 * layers; }
}  // namespace

std::size_t ExtremaCpu::bytes_for(int layers, const Tile& tile) {
  const std::size_t columns = static_cast<std::size_t>(columns_of(tile));
  return Plane::bytes_of(columns_of(tile), rows_of(layers)) +
         columns * (static_cast<std::size_t>(layers) + sizeof(int));
}

void ExtremaCpu::begin(const ExtremumLimits& limits, Size octave, const Tile& tile, std::vector<Extremum>* found) {
  limits_ = limits;
  octave_ = octave;
  tile_ = tile;
  found_ = found;

  const std::size_t layers = static_cast<std::size_t>(limits.layers);
  const int columns = columns_of(tile);
  memory_.resize(columns, rows_of(limits.layers));
  flags_.resize(layers * static_cast<std::size_t>(columns));
  columns_.resize(static_cast<std::size_t>(columns));
  highest_.clear();
  lowest_.clear();
  flag_rows_.clear();
  int row = kept_rows * (limits.layers + 2);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    highest_.push_back(memory_.row(row++) + margin - tile.x_begin);
    lowest_.push_back(memory_.row(row++) + margin - tile.x_begin);
    flag_rows_.push_back(flags_.data() + layer * static_cast<std::size_t>(columns));
  }
}

float* ExtremaCpu::difference_row(int layer, int y) {
  return memory_.row(layer * kept_rows + y % kept_rows) + margin - tile_.x_begin;
}

void ExtremaCpu::rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) {
  const int last = std::min(tile_.x_end, octave_.width - extrema_border);
  for (int x = std::max(tile_.x_begin, extrema_border); x < last;) {
    const int x_end = std::min(x / block * block + block, last);
    search_block(levels, x, x_end, y_begin, y_end);
    x = x_end;
  }
}

void ExtremaCpu::search_block(const std::vector<LevelRows>& levels, int first, int last, int y_begin, int y_end) {
  const int x_begin = std::max(first - 1, 0) / margin * margin;
  const auto subtract = pick(HWY_DISPATCH_TABLE(subtract_rows), isa_);
  const auto survey = pick(HWY_DISPATCH_TABLE(survey_columns), isa_);
  const auto confirm = pick(HWY_DISPATCH_TABLE(confirm_columns), isa_);
  const auto refine = pick(HWY_DISPATCH_TABLE(refine_extremum), isa_);

  const int y_first = std::max(y_begin, extrema_border), y_last = std::min(y_end, octave_.height - extrema_border);
  const int differences = limits_.layers + 2;
  for (int y = y_first - 1; y <= y_first && y_first < y_last;
       // Blocks overlap, so none can reuse the rows of the call before.
       ++y) {
    for (int layer = 0; layer < differences; ++layer) {
      const std::size_t i = static_cast<std::size_t>(layer);
      subtract(levels[i].row(y), levels[i + 1].row(y), x_begin, last + 1, difference_row(layer, y));
    }
  }
  for (int y = y_first; y < y_last; ++y) {
    rows_.clear();
    images_.clear();
    for (int layer = 0; layer < differences; ++layer) {
      for (int r = -1; r <= 1; ++r) rows_.push_back(difference_row(layer, y + r));
    }
    for (const LevelRows& level : levels) images_.push_back(level.row(y + 1));
    survey(rows_.data(), images_.data(), limits_.layers, limits_.candidate, x_begin, last + 1, highest_.data(),
           lowest_.data(), flag_rows_.data());
    for (int layer = 1; layer <= limits_.layers; ++layer) {
      const std::size_t i = static_cast<std::size_t>(layer) - 1;
      const int count = confirm(difference_row(layer, y), highest_[i], lowest_[i], flag_rows_[i], x_begin, first, last,
                                columns_.data());
      for (int k = 0; k < count; ++k) {
        Extremum e{layer, y, columns_[static_cast<std::size_t>(k)]};
        if (refine(levels, limits_, octave_.width, octave_.height, e)) found_->push_back(e);
      }
    }
  }
}

}  // namespace octavo
#endif
