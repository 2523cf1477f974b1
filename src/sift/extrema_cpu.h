// Finds the extrema of a tile while its rows stream by.

#pragma once

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
  Isa isa_;
  ExtremumLimits limits_;
  Size octave_;
  Tile tile_;
  std::vector<Extremum>* found_ = nullptr;
  Plane differences_;        // three rows per layer, in turn
  int next_difference_ = 0;  // the first row whose difference is not known
};

}  // namespace octavo
