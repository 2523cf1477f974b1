// A value is extreme if its size exceeds that of its 26 neighbours, all multiplied by its sign. Where it does not
// exceed the candidates' limit and four neighbours, those of the two neighbouring rows and of the two neighbouring
// layers, is found for whole vectors while the differences are computed. Few vectors remain for the full test.

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

/// Computes the differences of row y + 1 and surveys row y, in columns [x_begin, x_end), rounded out to whole vectors.
/// images[0 … layers + 2] are row y + 1 of the Gaussian images. Differences of layer k of the rows y − 1, y and y + 1
/// are at rows[0 … 2] + k·stride. flags + (l − 1)·flag_stride gets one bit per column, in whole vectors from x_begin
/// on, for layers l = 1 … layers: whether the difference is beyond ±candidate and exceeds four of its neighbours.
template <int constant_layers>
HWY_INLINE void survey_row_of(const float* const* images, int layers, float candidate, int x_begin, int x_end,
                              float* const* rows, std::ptrdiff_t stride, std::uint8_t* flags,
                              std::ptrdiff_t flag_stride) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr std::size_t flag_bytes = (hn::MaxLanes(FloatTag()) + 7) / 8;
  const int differences = (constant_layers > 0 ? constant_layers : layers) + 2;
  const float_v limit = splat(candidate), sign_bit = splat(-0.0f);
  const float *const row_above = rows[0], *const row_here = rows[1];
  float* const row_below = rows[2];
  for (int x = x_begin; x < x_end; x += lanes, flags += flag_bytes) {
    float_v image = hn::LoadU(d, images[0] + x);
    // Of the layers before: row y of two, and row y + 1 of one.
    float_v lower = limit, value = limit, below = limit;
#pragma GCC unroll 8
    for (int k = 0; k < differences; ++k) {
      const float_v next_image = hn::LoadU(d, images[k + 1] + x);
      const float_v difference = next_image - image;
      image = next_image;
      hn::StoreU(difference, d, row_below + k * stride + x);
      const float_v upper = hn::LoadU(d, row_here + k * stride + x);
      if (k >= 2) {
        const float_v above = hn::LoadU(d, row_above + (k - 1) * stride + x);
        const float_v sign = hn::And(value, sign_bit);
        const float_v layers_high = maximum(hn::Xor(lower, sign), hn::Xor(upper, sign));
        const float_v rows_high = maximum(hn::Xor(above, sign), hn::Xor(below, sign));
        const float_v high = maximum(limit, maximum(layers_high, rows_high));
        hn::StoreMaskBits(d, hn::Gt(hn::Xor(value, sign), high), flags + (k - 2) * flag_stride);
      }
      lower = value;
      value = upper;
      below = difference;
    }
  }
}

void survey_row(const float* const* images, int layers, float candidate, int x_begin, int x_end, float* const* rows,
                std::ptrdiff_t stride, std::uint8_t* flags, std::ptrdiff_t flag_stride) {
  const auto survey = layers == 3 ? survey_row_of<3> : layers == 4 ? survey_row_of<4> : survey_row_of<0>;
  survey(images, layers, candidate, x_begin, x_end, rows, stride, flags, flag_stride);
}

/// Finds the columns in [first, last) of row y of a layer that hold an extremum. Only those with a flag can.
/// rows[0 … 2] are the differences of the rows y − 1, y and y + 1 of the layer; those of the layers beside it are
/// `stride` away. Returns the number of columns written to `columns`.
int find_columns(const float* const* rows, std::ptrdiff_t stride, const std::uint8_t* flags, int x_begin, int first,
                 int last, int* columns) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr std::size_t flag_bytes = (hn::MaxLanes(FloatTag()) + 7) / 8;
  int count = 0;
  for (int x = x_begin; x < last; x += lanes, flags += flag_bytes) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, flags, flag_bytes);
    if (bits == 0) continue;
    const float_v value = hn::LoadU(d, rows[1] + x);
    const float_v sign = hn::And(value, splat(-0.0f));
    const auto higher_of_sides = [&](const float* row) HWY_ATTR {
      return maximum(hn::Xor(hn::LoadU(d, row + x - 1), sign), hn::Xor(hn::LoadU(d, row + x + 1), sign));
    };
    float_v high = higher_of_sides(rows[1]);
    for (const std::ptrdiff_t layer : {-stride, stride}) high = maximum(high, higher_of_sides(rows[1] + layer));
    for (const float* row : {rows[0], rows[2]}) {
      high = maximum(high, higher_of_sides(row));
      for (const std::ptrdiff_t layer : {-stride, stride}) {
        high = maximum(high, higher_of_sides(row + layer));
        high = maximum(high, hn::Xor(hn::LoadU(d, row + layer + x), sign));
      }
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Gt(hn::Xor(value, sign), high), bytes);
    std::uint32_t highest = 0;
    std::memcpy(&highest, bytes, flag_bytes);
    for (bits &= highest; bits != 0; bits &= bits - 1) {
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

HWY_EXPORT(survey_row);
HWY_EXPORT(find_columns);
HWY_EXPORT(refine_extremum);

namespace {
constexpr int kept_rows = 3;
constexpr int column_unit = 16;  // columns are searched in whole vectors of any width
// Columns beside the tile: a vector that the tile's border cuts, and the neighbours of its ends.
constexpr int margin = 2 * column_unit;
// Columns searched at a time: their differences fit the first-level cache.
constexpr int block = 256;

int columns_of(const Tile& tile) { return tile.x_end - tile.x_begin + 2 * margin; }
}  // namespace

std::size_t ExtremaCpu::bytes_for(int layers, const Tile& tile) {
  const std::size_t columns = static_cast<std::size_t>(columns_of(tile));
  return Plane::bytes_of(columns_of(tile), kept_rows * (layers + 2)) +
         columns * (static_cast<std::size_t>(layers) + sizeof(int));
}

void ExtremaCpu::begin(const ExtremumLimits& limits, Size octave, const Tile& tile, std::vector<Extremum>* found) {
  limits_ = limits;
  octave_ = octave;
  tile_ = tile;
  found_ = found;

  const int columns = columns_of(tile);
  memory_.resize(columns, kept_rows * (limits.layers + 2));
  flags_.resize(static_cast<std::size_t>(limits.layers) * static_cast<std::size_t>(columns));
  columns_.resize(static_cast<std::size_t>(columns));
}

float* ExtremaCpu::difference_row(int y) {
  return memory_.row(y % kept_rows * (limits_.layers + 2)) + margin - tile_.x_begin;
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
  const int x_begin = std::max(first - 1, 0) / column_unit * column_unit;
  const auto survey = pick(HWY_DISPATCH_TABLE(survey_row), isa_);
  const auto find = pick(HWY_DISPATCH_TABLE(find_columns), isa_);
  const auto refine = pick(HWY_DISPATCH_TABLE(refine_extremum), isa_);

  const std::ptrdiff_t stride = memory_.stride(), flag_stride = columns_of(tile_);
  const int y_first = std::max(y_begin, extrema_border), y_last = std::min(y_end, octave_.height - extrema_border);
  // The first two rows only become differences: blocks overlap, so none can reuse the rows of the call before.
  for (int y = y_first - 2; y < y_last && y_first < y_last; ++y) {
    images_.clear();
    for (const LevelRows& level : levels) images_.push_back(level.row(y + 1));
    float* rows[] = {difference_row(y + 2), difference_row(y), difference_row(y + 1)};  // y + 2 has the place of y − 1
    survey(images_.data(), limits_.layers, limits_.candidate, x_begin, last + 1, rows, stride, flags_.data(),
           flag_stride);
    if (y < y_first) continue;
    for (int layer = 1; layer <= limits_.layers; ++layer) {
      const float* of_layer[3];
      for (int i = 0; i < 3; ++i) of_layer[i] = rows[i] + layer * stride;
      const int count =
          find(of_layer, stride, flags_.data() + (layer - 1) * flag_stride, x_begin, first, last, columns_.data());
      for (int k = 0; k < count; ++k) {
        Extremum e{layer, y, columns_[static_cast<std::size_t>(k)]};
        if (refine(levels, limits_, octave_.width, octave_.height, e)) found_->push_back(e);
      }
    }
  }
}

}  // namespace octavo
#endif
