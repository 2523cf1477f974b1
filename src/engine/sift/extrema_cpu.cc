// A value is extreme if its size exceeds that of its 26 neighbours, all multiplied by its sign. Where it does not
// exceed the candidates' limit and four neighbours, those of the two neighbouring rows and of the two neighbouring
// layers, is found for whole vectors while the differences are computed. In the last layer five are asked: those of the
// two neighbouring columns in place of the one in the layer above. Few pixels remain for the full test, which takes
// them one by one: a vector of 16 has 1.6 where it has any.
//
// Of image S + 2, whose blur is the widest, the search reads only the neighbours above points of layer S that exceed
// all others, so that it is blurred around those alone.
//
// Tried without gain: a search as soon as rows are made, with refinement later; a test of the own layer before that of
// the layers beside it; a branch over vectors where no layer has a candidate, which is mispredicted too often.

#include "engine/sift/extrema_cpu.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

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
  std::array<const float*, 3> lower = images.around(layer - 1, row, column).rows_around(row);
  for (int s = 0; s <= 2; ++s) {
    const std::array<const float*, 3> upper = images.around(layer + s, row, column).rows_around(row);
    for (int i = 0; i < 3; ++i) {
      for (int x = column - 1; x <= column + 1; ++x) *cube++ = upper[i][x] - lower[i][x];
    }
    lower = upper;
  }
}

#include "engine/sift/refine.h"
// clang-format on
}  // namespace scalar

// Bytes of flags that are read together.
constexpr int flags_at_once = 8;

/// Computes the differences of row y + 1 and surveys row y, in columns [x_begin, x_end), rounded out to whole vectors.
/// images[0 … layers + 1] are row y + 1 of the Gaussian images, those that follow row y + 2, which is fetched into the
/// cache. Differences of layer k of the rows y − 1, y and y + 1
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
  const float* const* const next_images = images + differences + 1;
  const float_v limit = splat(candidate), sign_bit = splat(-0.0f);
  const float *const row_above = rows[0], *const row_here = rows[1];
  float* const row_below = rows[2];
  for (int x = x_begin; x < x_end; x += lanes, flags += flag_bytes) {
    __builtin_prefetch(next_images[0] + x, 0, 3);
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
      __builtin_prefetch(next_images[k + 1] + x, 0, 3);
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

/// Whether the value in column x exceeds its neighbours, all multiplied by its sign. `rows` and `stride` are those of
/// find_columns.
HWY_INLINE bool exceeds_neighbours(const float* const* rows, std::ptrdiff_t stride, bool compares_above, int x) {
#if HWY_TARGET == HWY_SCALAR
  const float value = rows[1][x];
  bool exceeds = true;
  for (const std::ptrdiff_t layer : {-stride, std::ptrdiff_t{0}, stride}) {
    if (layer == stride && !compares_above) continue;
    for (int i = 0; i < 3; ++i) {
      for (int at = x - 1; at <= x + 1; ++at) {
        const float other = rows[i][layer + at];
        const bool itself = layer == 0 && i == 1 && at == x;
        exceeds = exceeds && (itself || (value > 0 ? value > other : value < other));
      }
    }
  }
  return exceeds;
#else
  // Three neighbours at a time. The fourth lane is dropped.
  namespace hn = vector::hn;
  const hn::CappedTag<float, 4> d;
  const auto value = hn::Set(d, rows[1][x]), sign = hn::And(value, hn::Set(d, -0.0f));
  const auto around = [&](int row, std::ptrdiff_t layer)
                          HWY_ATTR { return hn::Xor(hn::LoadU(d, rows[row] + layer + x - 1), sign); };
  auto high = hn::Max(hn::Max(around(0, -stride), around(1, -stride)), around(2, -stride));
  high = hn::Max(high, hn::Max(around(0, 0), around(2, 0)));
  if (compares_above) high = hn::Max(high, hn::Max(hn::Max(around(0, stride), around(1, stride)), around(2, stride)));
  // The value itself is in the second lane.
  high = hn::Max(high, hn::OddEven(hn::Set(d, std::numeric_limits<float>::lowest()), around(1, 0)));
  const auto exceeds = hn::Or(hn::Gt(hn::Xor(value, sign), high), hn::Not(hn::FirstN(d, 3)));
  return hn::AllTrue(d, exceeds);
#endif
}

/// Finds the columns in [first, last) of row y of a layer that hold an extremum. Only those with a flag can.
/// rows[0 … 2] are the differences of the rows y − 1, y and y + 1 of the layer; those of the layers beside it are
/// `stride` away. Unless `compares_above`, the layer above is left out. Returns the number of columns written to
/// `columns`, which has room for one more.
int find_columns(const float* const* rows, std::ptrdiff_t stride, const std::uint8_t* flags, int x_begin, int first,
                 int last, bool compares_above, int* columns) {
  constexpr int lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));
  // Few columns have a flag, so that the flags of several vectors are read at a time.
  constexpr int flag_bits = (lanes + 7) / 8 * 8, at_once = flags_at_once * 8 / flag_bits;
  int count = 0;
  for (int x = x_begin; x < last; x += at_once * lanes, flags += flags_at_once) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, flags, flags_at_once);
    for (; bits != 0; bits &= bits - 1) {
      const int bit = std::countr_zero(bits), column = x + bit / flag_bits * lanes + bit % flag_bits;
      if (column >= last) break;
      columns[count] = column;
      count += column >= first && exceeds_neighbours(rows, stride, compares_above, column) ? 1 : 0;
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
         columns * (static_cast<std::size_t>(layers) + sizeof(int)) + sizeof(int) +
         (top ? BlurredPatchCpu::bytes_for(*top) : 0);
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
  columns_.resize(static_cast<std::size_t>(columns) + 1);
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

  const SearchedImages searched{levels.data(), limits_.layers, blurs_top_ ? &top_ : nullptr};
  const std::ptrdiff_t stride = memory_.stride(), flag_stride = columns_of(tile_);
  const int y_first = std::max(y_begin, extrema_border), y_last = std::min(y_end, octave_.height - extrema_border);
  const std::size_t images = static_cast<std::size_t>(limits_.layers) + 2;
  images_.resize(2 * images);
  for (std::size_t i = 0; i < images; ++i) images_[images + i] = levels[i].row(y_first - 1);
  // The first two rows only become differences: blocks overlap, so none can reuse the rows of the call before.
  for (int y = y_first - 2; y < y_last && y_first < y_last; ++y) {
    // Row y + 1 of each image, and row y + 2, which is the first of the next time.
    for (std::size_t i = 0; i < images; ++i) {
      images_[i] = images_[images + i];
      images_[images + i] = levels[i].row(y + 2);
    }
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
        if (last_layer && !exceeds_layer_above(searched, of_layer[1][e.column], y, e.column)) continue;
        if (refine(searched, limits_, octave_.width, octave_.height, e)) found_->push_back(e);
      }
    }
  }
}

}  // namespace octavo
#endif
