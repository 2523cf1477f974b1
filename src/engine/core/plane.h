// A plane of floats that keeps its memory: only the first image of a size pays for the page faults.
// Rows start on cache lines. A few vectors beyond the end of a row may be read.

#pragma once

#include <cstddef>
#include <memory>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

class Plane {
 public:
  /// Makes room for width × height floats. The previous content is lost. The memory only grows.
  /// Throws Error(out_of_memory) and leaves the plane empty.
  void resize(int width, int height) { resize(width, height, 0, height); }
  /// The same, but with room for `rows` rows from `first_row` on alone. No other row may be read or written.
  void resize(int width, int height, int first_row, int rows);

  /// Moves rows [first_row, end_row) to the start of the memory and forgets those before: there is room for as many
  /// rows from `first_row` on as before.
  void slide(int first_row, int end_row);

  /// [byte] that a new plane of this size takes.
  static std::size_t bytes_of(int width, int height);
  /// [byte] that this plane takes.
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(float); }

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }  ///< [float] from row to row, an odd multiple of 16
  [[nodiscard]] float* row(int y) { return data_.get() + (y - first_row_) * stride_; }
  [[nodiscard]] const float* row(int y) const { return data_.get() + (y - first_row_) * stride_; }

 private:
  struct Free {
    void operator()(float* p) const;
  };
  std::unique_ptr<float, Free> data_;
  std::size_t capacity_ = 0;  // [float]
  int width_ = 0, height_ = 0, first_row_ = 0;
  std::ptrdiff_t stride_ = 0;
};

/// Number of floats that may be read beyond the width of any row.
inline constexpr int plane_slack = 64;

}  // namespace octavo
