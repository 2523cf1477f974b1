#include "engine/scale_space/blurred_patch_cpu.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/scale_space/blurred_patch_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/scale_space/blur_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

constexpr int column_unit = 32;  // pairs of vectors of any width

/// Columns around [x_begin, x_end) that a filter reads, without those outside the image.
struct FilterColumns {
  FilterColumns(int x_begin, int x_end, int radius, int image_width)
      : left(x_begin - radius), right(x_end + radius), first(std::max(left, 0)), width(image_width) {
    const int last = std::min(right, width);
    end = first + (last - first + column_unit - 1) / column_unit * column_unit;
  }

  /// Fills the columns outside the image. [x] is column x.
  void fill_beyond(Border border, float* row) const {
    for (int x = left; x < 0; ++x) row[x] = row[pixel_read_at(x, width, border)];
    for (int x = width; x < right; ++x) row[x] = row[pixel_read_at(x, width, border)];
  }

  int left, right;  // with those outside
  int first, end;   // those in the image, rounded out to whole pairs of vectors
  int width;
};

/// Returns the pixel in column x. rows[0 … 2·radius] are the rows that the filter reads. `sums` has room for vectors
/// beside the columns; [x] is column x.
float blur_pixel(const float* const* rows, const Taps& taps, int width, int x, float* sums) {
  using namespace vector;
  const FloatTag d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(FloatTag()));
  const int radius = taps.radius();
  const float* weight = taps.weight.data();
  const FilterColumns columns(x, x + 1, radius, width);
  for (int at = columns.first; at < columns.end; at += 2 * lanes) {
    float_v sum0 = splat(weight[0]) * hn::LoadU(d, rows[radius] + at);
    float_v sum1 = splat(weight[0]) * hn::LoadU(d, rows[radius] + at + lanes);
    for (int k = 1; k <= radius; ++k) {
      const float_v w = splat(weight[k]);
      const float *above = rows[radius - k] + at, *below = rows[radius + k] + at;
      sum0 = fma(w, hn::LoadU(d, above) + hn::LoadU(d, below), sum0);
      sum1 = fma(w, hn::LoadU(d, above + lanes) + hn::LoadU(d, below + lanes), sum1);
    }
    hn::StoreU(sum0, d, sums + at);
    hn::StoreU(sum1, d, sums + at + lanes);
  }
  columns.fill_beyond(taps.border, sums);
  float sum = weight[0] * sums[x];
  for (int k = 1; k <= radius; ++k) sum = scalar::fma(weight[k], sums[x - k] + sums[x + k], sum);
  return sum;
}

/// Blurs three rows of columns [x_begin, x_begin + 3). rows[0 … 2·radius + 3] are the rows that the filter reads.
/// `sums` and `out` have room for vectors beside the columns; [x] is column x.
void blur_patch(const float* const* rows, const Taps& taps, int width, int x_begin, float* const* sums,
                float* const* out) {
  const int radius = taps.radius();
  const float* weight = taps.weight.data();
  const FilterColumns columns(x_begin, x_begin + 3, radius, width);
  blur_four_rows(rows, weight, radius, columns.first, columns.end, sums);
  for (int i = 0; i < 3; ++i) {
    columns.fill_beyond(taps.border, sums[i]);
    blur_along_row(sums[i], weight, radius, x_begin, x_begin + 3, out[i]);
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(blur_pixel);
HWY_EXPORT(blur_patch);

namespace {
constexpr int patch = 3;
constexpr int blurred_rows = HWY_NAMESPACE::blurred_rows;
constexpr int margin = 32;  // vectors beside the columns
constexpr int memory_rows = blurred_rows + patch;

int columns_of(const Taps& taps) { return patch + 2 * taps.radius() + 3 * margin; }
}  // namespace

void BlurredPatchCpu::begin(const Taps& taps, Size size) {
  taps_ = &taps;
  size_ = size;
  row_ = column_ = -1;
  filter_rows_.resize(static_cast<std::size_t>(2 * taps.radius() + blurred_rows));
  memory_.resize(columns_of(taps), memory_rows);
}

std::size_t BlurredPatchCpu::bytes_for(const Taps& taps) { return Plane::bytes_of(columns_of(taps), memory_rows); }

void BlurredPatchCpu::find_filter_rows(const LevelRows& from, int row) {
  if (row == row_) return;
  row_ = row;
  column_ = -1;
  const int first = row - 1 - taps_->radius(), count = static_cast<int>(filter_rows_.size());
  // The filter makes a fourth row, which is not used.
  const int last = first + count - 2;
  if (first < 0 || last >= size_.height) {
    for (int k = 0; k < count; ++k) {
      filter_rows_[static_cast<std::size_t>(k)] =
          from.row(pixel_read_at(std::min(first + k, last), size_.height, taps_->border));
    }
    return;
  }
  // Divisions for every row would take as long as the blur.
  int slot = first % from.slots;
  for (const float*& filter_row : filter_rows_) {
    filter_row = from.origin + slot * from.stride;
    if (++slot == from.slots) slot = 0;
  }
  filter_rows_.back() = from.row(last);
}

float BlurredPatchCpu::pixel(const LevelRows& from, int row, int column) {
  find_filter_rows(from, row);
  float* sums = memory_.row(0) + margin + taps_->radius() - column;
  return pick(HWY_DISPATCH_TABLE(blur_pixel), isa_)(filter_rows_.data() + 1, *taps_, size_.width, column, sums);
}

const LevelRows& BlurredPatchCpu::around(const LevelRows& from, int row, int column) {
  if (row == row_ && column == column_) return patch_;
  find_filter_rows(from, row);
  column_ = column;
  float *sums[blurred_rows], *out[patch];
  for (int i = 0; i < blurred_rows; ++i) sums[i] = memory_.row(i) + margin + taps_->radius() - (column - 1);
  for (int i = 0; i < patch; ++i) out[i] = memory_.row(blurred_rows + (row - 1 + i) % patch) + margin - (column - 1);
  pick(HWY_DISPATCH_TABLE(blur_patch), isa_)(filter_rows_.data(), *taps_, size_.width, column - 1, sums, out);
  patch_ = {memory_.row(blurred_rows) + margin - (column - 1), memory_.stride(), patch};
  return patch_;
}

}  // namespace octavo
#endif
