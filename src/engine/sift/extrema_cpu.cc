// A value is extreme if its size exceeds that of its 26 neighbours, all multiplied by its sign. Where it does not
// exceed the candidates' limit and four neighbours, those of the two neighbouring rows and of the two neighbouring
// layers, is found for whole vectors while the differences are computed. In the last layer five are asked: those of the
// two neighbouring columns in place of the one in the layer above. Few vectors remain for the full test.
//
// Of image S + 2, whose blur is the widest, the search reads only the neighbours above points of layer S that exceed
// all others, so that it is blurred around those alone.
//
// Tried without gain: a search as soon as rows are made, with refinement later; a test of the own layer before that of
// the layers beside it; a branch over vectors where no layer has a candidate, which is mispredicted too often.

#include "engine/sift/extrema_cpu.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/sift/extrema_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
// Refine uses the primitives of refinement_maths.h.
// clang-format off
#include "engine/sift/refinement_maths.h"

using Differences = const SearchedImages&;

inline void difference_cube(Differences images, int layer, int row, int column, float_v* cube) {
  for (int s = -1; s <= 1; ++s) {
    const LevelRows& lower = images.around(layer + s, row, column);
    const LevelRows& upper = images.around(layer + s + 1, row, column);
    for (int y = row - 1; y <= row + 1; ++y) {
      const float* a = lower.row(y);
      const float* b = upper.row(y);
      for (int x = column - 1; x <= column + 1; ++x) *cube++ = b[x] - a[x];
    }
  }
}

#include "engine/sift/refine.h"
// clang-format on
}  // namespace scalar

// Bytes of flags that are read together.
constexpr int flags_at_once = 8;

/// Computes the differences of row y + 1 and surveys row y, in columns [x_begin, x_end), rounded out to whole vectors.
/// images[0 … layers + 1] are row y + 1 of the Gaussian images. Differences of layer k of the rows y − 1, y and y + 1
/// are at rows[0 … 2] + k·stride. flags + (l − 1)·flag_stride gets one bit per column, in whole vectors from x_begin
/// on, for layers l = 1 … layers: whether the difference is beyond ±candidate and exceeds four of its neighbours. The
/// last layer, which has no layer above here, goes by five: those of the rows, of the layer below and of the columns.
template <int constant_layers>
HWY_INLINE void survey_row_of(const float* const* images, int layers, float candidate, int x_begin, int x_end,
                              float* const* rows, std::ptrdiff_t stride, std::uint8_t* flags,
                              std::ptrdiff_t flag_stride) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr std::size_t flag_bytes = (hn::MaxLanes(FloatTag()) + 7) / 8;
  const int differences = (constant_layers > 0 ? constant_layers : layers) + 1;
  const float_v limit = splat(candidate), sign_bit = splat(-0.0f);
  const float *const row_above = rows[0], *const row_here = rows[1];
  float* const row_below = rows[2];
  for (int x = x_begin; x < x_end; x += lanes, flags += flag_bytes) {
    float_v image = hn::LoadU(d, images[0] + x);
    // Of the layers before: row y of two, and row y + 1 of one.
    float_v lower = limit, value = limit, below = limit;
    // Whether the value exceeds its neighbours in layer k and in the rows of layer k − 1.
    const auto exceeds = [&](int k, float_v in_layers) HWY_ATTR {
      const float_v above = hn::LoadU(d, row_above + (k - 1) * stride + x);
      const float_v sign = hn::And(value, sign_bit);
      const float_v rows_high = maximum(hn::Xor(above, sign), hn::Xor(below, sign));
      return hn::Gt(hn::Xor(value, sign), maximum(limit, maximum(in_layers, rows_high)));
    };
#pragma GCC unroll 8
    for (int k = 0; k < differences; ++k) {
      const float_v next_image = hn::LoadU(d, images[k + 1] + x);
      const float_v difference = next_image - image;
      image = next_image;
      hn::StoreU(difference, d, row_below + k * stride + x);
      const float_v upper = hn::LoadU(d, row_here + k * stride + x);
      if (k >= 2) {
        const float_v sign = hn::And(value, sign_bit);
        const mask_v flag = exceeds(k, maximum(hn::Xor(lower, sign), hn::Xor(upper, sign)));
        hn::StoreMaskBits(d, flag, flags + (k - 2) * flag_stride);
      }
      lower = value;
      value = upper;
      below = difference;
    }
    const float_v sign = hn::And(value, sign_bit);
    const float* const last_layer = row_here + (differences - 1) * stride + x;
    const float_v sides =
        maximum(hn::Xor(hn::LoadU(d, last_layer - 1), sign), hn::Xor(hn::LoadU(d, last_layer + 1), sign));
    const mask_v flag = exceeds(differences, maximum(sides, hn::Xor(lower, sign)));
    hn::StoreMaskBits(d, flag, flags + (differences - 2) * flag_stride);
  }
}

void survey_row(const float* const* images, int layers, float candidate, int x_begin, int x_end, float* const* rows,
                std::ptrdiff_t stride, std::uint8_t* flags, std::ptrdiff_t flag_stride) {
  const auto survey = layers == 3   ? survey_row_of<3>
                      : layers == 4 ? survey_row_of<4>
                      : layers == 5 ? survey_row_of<5>
                                    : survey_row_of<0>;
  survey(images, layers, candidate, x_begin, x_end, rows, stride, flags, flag_stride);
}

/// Finds the columns in [first, last) of row y of a layer that hold an extremum. Only those with a flag can.
/// rows[0 … 2] are the differences of the rows y − 1, y and y + 1 of the layer; those of the layers beside it are
/// `stride` away. Unless `compares_above`, the layer above is left out. Returns the number of columns written to
/// `columns`.
int find_columns(const float* const* rows, std::ptrdiff_t stride, const std::uint8_t* flags, int x_begin, int first,
                 int last, bool compares_above, int* columns) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  constexpr std::size_t flag_bytes = (hn::MaxLanes(FloatTag()) + 7) / 8;
  const std::ptrdiff_t beside[] = {-stride, stride};
  const std::span layers(beside, compares_above ? 2 : 1);
  int count = 0;
  const auto search = [&](int x, std::uint32_t bits) HWY_ATTR {
    const float_v value = hn::LoadU(d, rows[1] + x);
    const float_v sign = hn::And(value, splat(-0.0f));
    const auto higher_of_sides = [&](const float* row) HWY_ATTR {
      return maximum(hn::Xor(hn::LoadU(d, row + x - 1), sign), hn::Xor(hn::LoadU(d, row + x + 1), sign));
    };
    float_v high = higher_of_sides(rows[1]);
    for (const std::ptrdiff_t layer : layers) high = maximum(high, higher_of_sides(rows[1] + layer));
    for (const float* row : {rows[0], rows[2]}) {
      high = maximum(high, higher_of_sides(row));
      for (const std::ptrdiff_t layer : layers) {
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
  };
  // Few vectors have a flag, so that the flags of several are read at a time.
  constexpr int flag_bits = 8 * static_cast<int>(flag_bytes), at_once = flags_at_once / static_cast<int>(flag_bytes);
  for (int x = x_begin; x < last; x += at_once * lanes, flags += flags_at_once) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, flags, flags_at_once);
    while (bits != 0) {
      const int vector = std::countr_zero(bits) / flag_bits;
      const std::uint64_t of_vector = bits >> (vector * flag_bits) & ((std::uint64_t{1} << flag_bits) - 1);
      bits ^= of_vector << (vector * flag_bits);
      if (x + vector * lanes < last) search(x + vector * lanes, static_cast<std::uint32_t>(of_vector));
    }
  }
  return count;
}

bool refine_extremum(const SearchedImages& images, const ExtremumLimits& limits, int width, int height, Extremum& e) {
  return scalar::refine(images, limits, width, height, &e) == refinement_done;
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

// Whether D at a pixel of layer S, where it is not 0, is extreme among its neighbours in the layer above.
bool exceeds_layer_above(const SearchedImages& images, float value, int row, int column) {
  const LevelRows& lower = images.levels[images.layers + 1];
  const auto exceeds = [&](float neighbour) { return value > 0 ? value > neighbour : value < neighbour; };
  // Few points exceed even the pixel above them.
  if (images.top && !exceeds(images.top->pixel(lower, row, column) - lower.row(row)[column])) return false;
  const LevelRows& upper = images.around(images.layers + 2, row, column);
  for (int y = row - 1; y <= row + 1; ++y) {
    const float* a = lower.row(y);
    const float* b = upper.row(y);
    for (int x = column - 1; x <= column + 1; ++x) {
      if (!exceeds(b[x] - a[x])) return false;
    }
  }
  return true;
}
}  // namespace

std::size_t ExtremaCpu::bytes_for(int layers, const Tile& tile, const Taps* top) {
  const std::size_t columns = static_cast<std::size_t>(columns_of(tile));
  return Plane::bytes_of(columns_of(tile), kept_rows * (layers + 1)) +
         columns * (static_cast<std::size_t>(layers) + sizeof(int)) + (top ? BlurredPatchCpu::bytes_for(*top) : 0);
}

void ExtremaCpu::begin(const ExtremumLimits& limits, Size octave, const Tile& tile, const Taps* top,
                       std::vector<Extremum>* found) {
  limits_ = limits;
  octave_ = octave;
  tile_ = tile;
  found_ = found;

  const int columns = columns_of(tile);
  memory_.resize(columns, kept_rows * (limits.layers + 1));
  flags_.resize(static_cast<std::size_t>(limits.layers) * static_cast<std::size_t>(columns));
  columns_.resize(static_cast<std::size_t>(columns));
  blurs_top_ = top != nullptr;
  if (top) top_.begin(*top, octave);
}

float* ExtremaCpu::difference_row(int y) {
  return memory_.row(y % kept_rows * (limits_.layers + 1)) + margin - tile_.x_begin;
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

  const SearchedImages images{levels.data(), limits_.layers, blurs_top_ ? &top_ : nullptr};
  const std::ptrdiff_t stride = memory_.stride(), flag_stride = columns_of(tile_);
  const int y_first = std::max(y_begin, extrema_border), y_last = std::min(y_end, octave_.height - extrema_border);
  // The first two rows only become differences: blocks overlap, so none can reuse the rows of the call before.
  for (int y = y_first - 2; y < y_last && y_first < y_last; ++y) {
    images_.clear();
    for (int level = 0; level < limits_.layers + 2; ++level)
      images_.push_back(levels[static_cast<std::size_t>(level)].row(y + 1));
    float* rows[] = {difference_row(y + 2), difference_row(y), difference_row(y + 1)};  // y + 2 has the place of y − 1
    survey(images_.data(), limits_.layers, limits_.candidate, x_begin, last + 1, rows, stride, flags_.data(),
           flag_stride);
    if (y < y_first) continue;
    for (int layer = 1; layer <= limits_.layers; ++layer) {
      const float* of_layer[3];
      for (int i = 0; i < 3; ++i) of_layer[i] = rows[i] + layer * stride;
      const bool last_layer = layer == limits_.layers;
      const int count = find(of_layer, stride, flags_.data() + (layer - 1) * flag_stride, x_begin, first, last,
                             !last_layer, columns_.data());
      for (int k = 0; k < count; ++k) {
        Extremum e{layer, y, columns_[static_cast<std::size_t>(k)]};
        if (last_layer && !exceeds_layer_above(images, of_layer[1][e.column], y, e.column)) continue;
        if (refine(images, limits_, octave_.width, octave_.height, e)) found_->push_back(e);
      }
    }
  }
}

}  // namespace octavo
#endif
