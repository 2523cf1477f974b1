#include "engine/sift/prefetch_window.h"

#include <algorithm>
#include <cmath>

namespace octavo {

WindowPrefetch::WindowPrefetch(const Plane& level, const Extremum& e, int radius)
    : level_(&level),
      y_(std::max(e.row - radius - 1, 0)),
      y_end_(std::min(e.row + radius + 2, level.height())),
      last_column_(static_cast<float>(level.width() - 1)) {
  for (Band& band : bands_) band = {static_cast<float>(radius + 1), static_cast<float>(e.column), 0};
}

WindowPrefetch::WindowPrefetch(const Plane& level, const Extremum& e, const DescriptorFrame& f)
    : WindowPrefetch(level, e, f.radius) {
  constexpr float reach = 2.5f;
  const float x = static_cast<float>(e.column), y = static_cast<float>(e.row);
  bands_[0] = band(f.cosine, f.sine, reach, x, y);
  bands_[1] = band(-f.sine, f.cosine, reach, x, y);
}

WindowPrefetch::WindowPrefetch(const Plane& level, const WindowFrame& w, float reach)
    : level_(&level), last_column_(static_cast<float>(level.width() - 1)) {
  // The frame's own reach is that of a descriptor, 2.5 cells.
  const int down = static_cast<int>(static_cast<float>(w.reach_y * w.step) * (reach / 2.5f)) + 2;
  y_ = std::max(w.row - down, 0);
  y_end_ = std::min(w.row + down + 1, level.height());
  const float x = static_cast<float>(w.column) + w.x, y = static_cast<float>(w.row) + w.y;
  bands_[0] = band(w.cells11, w.cells12, reach, x, y);
  bands_[1] = band(w.cells21, w.cells22, reach, x, y);
}

WindowPrefetch::Band WindowPrefetch::band(float by_x, float by_y, float reach, float centre_x, float centre_y) {
  constexpr float flat = 1e-4f;  // a slope as small as this bounds nothing
  const float one_by_slope = std::abs(by_x) > flat ? 1 / by_x : 1 / flat, per_row = -by_y * one_by_slope;
  const float of_rows = 0.5f * (rows_at_once - 1) * std::abs(per_row);
  return {reach * std::abs(one_by_slope) + of_rows + 1, centre_x - per_row * centre_y, per_row};
}

void WindowPrefetch::fetch() {
  constexpr int line = 16;  // floats
  if (y_ >= y_end_) return;
  // The columns of all of these rows.
  const float middle_row = static_cast<float>(y_) + 0.5f * (rows_at_once - 1);
  float low = 0, high = last_column_;
  for (const Band& band : bands_) {
    const float middle = band.first + band.per_row * middle_row;
    low = std::max(low, middle - band.half_width);
    high = std::min(high, middle + band.half_width);
  }
  if (low <= high) {
    // Rows beyond the last are fetched too: it takes longer to ask for each.
    const float* at = level_->row(y_) + static_cast<int>(low) / line * line;
    const float* const end = level_->row(y_) + static_cast<int>(high) + 1;
    const std::ptrdiff_t stride = level_->stride();
    for (; at < end; at += line) {
      for (int i = 0; i < rows_at_once; ++i) __builtin_prefetch(at + i * stride, 0, 3);
    }
  }
  y_ += rows_at_once;
}

}  // namespace octavo
