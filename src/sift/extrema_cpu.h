// Finds the extrema of a tile while its rows stream through.

#pragma once

#include <cstdint>
#include <vector>

#include "core/plane.h"
#include "device/cpu_isa.h"
#include "scale_space/octave_cpu.h"
#include "sift/extrema.h"

namespace octavo {

/// Distance beyond its tile that the search reads: the reach of refinement, and one pixel more.
inline constexpr int extrema_reach = refinement_reach + 1;

/// Holds the differences of three rows. Each thread has one.
class ExtremaCpu : public TileSink {
 public:
  explicit ExtremaCpu(Isa isa) : isa_(std::move(isa)) {}

  /// Starts a tile. Its extrema are appended to `found`, in no particular order and with duplicates.
  void begin(const ExtremumLimits& limits, Size octave, const Tile& tile, std::vector<Extremum>* found);

  /// [byte] that the search in this tile takes, without its result.
  static std::size_t bytes_for(int layers, const Tile& tile);

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
  Plane memory_;                      // differences: three rows of every layer, used in turn
  std::vector<const float*> images_;  // the Gaussian images of one row
  std::vector<std::uint8_t> flags_;   // per layer 1…S: one bit per column that needs the full test
  std::vector<int> columns_;
};

}  // namespace octavo
