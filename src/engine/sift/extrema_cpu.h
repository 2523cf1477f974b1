// Finds the extrema of a tile while its rows stream through.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/scale_space/blurred_patch_cpu.h"
#include "engine/scale_space/octave_cpu.h"
#include "engine/sift/extrema.h"

namespace octavo {

/// Distance beyond its tile that the search reads: the reach of refinement, and one pixel more.
inline constexpr int extrema_reach = refinement_reach + 1;

/// The Gaussian images that are searched. Image S + 2 may be blurred where it is read.
struct SearchedImages {
  const LevelRows* levels = nullptr;  ///< images 0…S + 1, and S + 2 if `top` is null
  int layers = 0;                     ///< S
  BlurredPatchCpu* top = nullptr;

  /// The rows of an image around a pixel, of which a neighbourhood of 3×3 can be read.
  [[nodiscard]] const LevelRows& around(int level, int row, int column) const {
    return top && level == layers + 2 ? top->around(levels[level - 1], row, column) : levels[level];
  }
};

/// Holds the differences of three rows. Each thread has one.
class ExtremaCpu : public TileSink {
 public:
  explicit ExtremaCpu(Isa isa) : isa_(isa), top_(std::move(isa)) {}

  /// Starts a tile. Its extrema are appended to `found`, in no particular order and with duplicates. The rows that
  /// follow are those of images 0…S + 1, and `top` is the filter that leads to image S + 2. Of image S + 1 the rows and
  /// columns up to reach_of(*top) beyond the tile are read. If `top` is null, image S + 2 comes with the others.
  void begin(const ExtremumLimits& limits, Size octave, const Tile& tile, const Taps* top,
             std::vector<Extremum>* found);

  /// [pixel] the distance beyond its tile that the search reads of image S + 1.
  static int reach_of(const Taps& top) { return extrema_reach + top.radius(); }

  /// [byte] that the search in this tile takes, without its result.
  static std::size_t bytes_for(int layers, const Tile& tile, const Taps* top);

  void rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) override;

 private:
  // The row of layer 0; the other layers follow. [x] is column x of the octave.
  float* difference_row(int y);
  // Columns [first, last) of the rows passed to rows_ready.
  void search_block(const std::vector<LevelRows>& levels, int first, int last, int y_begin, int y_end);

  Isa isa_;
  ExtremumLimits limits_;
  Size octave_;
  Tile tile_;
  std::vector<Extremum>* found_ = nullptr;
  bool blurs_top_ = false;
  BlurredPatchCpu top_;               // image S + 2, around pixels
  Plane memory_;                      // differences: three rows of every layer, used in turn
  std::vector<const float*> images_;  // the Gaussian images of one row
  std::vector<std::uint8_t> flags_;   // per layer 1…S: one bit per column that needs the full test
  std::vector<int> columns_;
};

}  // namespace octavo
