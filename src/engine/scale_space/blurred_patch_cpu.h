// The pixels of a blurred image around few points, where the image as a whole is not needed: 3×3 at a time, with the
// bytes that the whole image would have.

#pragma once

#include <vector>

#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/scale_space/octave_cpu.h"
#include "engine/scale_space/plan.h"

namespace octavo {

/// Blurs patches. Each thread has one.
class BlurredPatchCpu {
 public:
  explicit BlurredPatchCpu(Isa isa) : isa_(std::move(isa)) {}

  /// Begins with another image of this size. `taps` must live as long as patches are made.
  void begin(const Taps& taps, Size size);

  /// Pixel (column, row) of the image `from` blurred. Of `from` the same can be read as for a patch.
  float pixel(const LevelRows& from, int row, int column);

  /// The rows row − 1 … row + 1 of the image `from` blurred, of which the columns column − 1 … column + 1 can be read,
  /// until the next call. In `from`, rows and columns up to the filter's radius beyond the patch (within the image) can
  /// be read.
  const LevelRows& around(const LevelRows& from, int row, int column);

  /// [byte] that patches of this filter take.
  static std::size_t bytes_for(const Taps& taps);

 private:
  // For the patch around a pixel of this row.
  void find_filter_rows(const LevelRows& from, int row);

  Isa isa_;
  const Taps* taps_ = nullptr;
  Size size_;
  int row_ = -1;                           // of filter_rows_; −1: none
  int column_ = -1;                        // of the patch in that row; −1: none
  std::vector<const float*> filter_rows_;  // the rows of `from` that the filter reads for row_
  Plane memory_;                           // four rows blurred down the columns, and three of the patch
  LevelRows patch_;
};

}  // namespace octavo
