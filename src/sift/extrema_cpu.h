// Finds the extrema of a tile while its rows stream by.

#pragma once

#include <cstdint>
#include <vector>

#include "core/plane.h"
#include "device/cpu_isa.h"
#include "scale_space/octave_cpu.h"
#include "sift/extremum.h"

namespace octavo {

/// How far beyond its tile the search reads: refinement may wander, and looks one pixel further.
inline constexpr int extrema_reach = refinement_reach + 1;

/// Holds the differences of three rows; one per thread.
class ExtremaCpu : public TileSink {
 public:
  explicit ExtremaCpu(Isa isa) : isa_(std::move(isa)) {}

  /// Before a tile: where it lies, and where its extrema go (appended in no particular order, duplicates included).
  void begin(const ExtremumLimits& limits, Size octave, const Tile& tile, std::vector<Extremum>* found);

  void rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) override;

 private:
  float* difference_row(int layer, int y);
  // Columns [first, last) of the rows that rows_ready was given.
  void search_block(const std::vector<LevelRows>& levels, int first, int last, int y_begin, int y_end);

  Isa isa_;
  ExtremumLimits limits_;
  Size octave_;
  Tile tile_;
  std::vector<Extremum>* found_ = nullptr;
  Plane memory_;                          // of the rows below; [x] is column x of the octave
  std::vector<float*> rows_;              // differences: three rows per layer, in turn
  std::vector<const float*> images_;      // the Gaussian images of one row
  std::vector<float*> highest_, lowest_;  // per layer 1…S: of the nine differences in a column
  std::vector<std::uint8_t> flags_;
  std::vector<std::uint8_t*> flag_rows_;  // per layer 1…S: a bit per column that deserves a look
  std::vector<int> columns_;
};

}  // namespace octavo
