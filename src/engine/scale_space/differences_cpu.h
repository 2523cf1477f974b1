// The differences of neighbouring Gaussian images of an octave on the CPU, made while their rows are in the cache.

#pragma once

#include <vector>

#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/scale_space/octave_cpu.h"

namespace octavo {

class DifferencesCpu : public TileSink {
 public:
  explicit DifferencesCpu(Isa isa) : isa_(std::move(isa)) {}

  /// The rows that follow are those of a tile of an octave. Difference i, image i + 1 less image i, is written to
  /// planes[i], which has the octave's size. Tiles may be written at the same time.
  void begin(const Tile& tile, std::vector<Plane>& planes);

  void rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) override;

 private:
  Isa isa_;
  Tile tile_;
  std::vector<Plane>* planes_ = nullptr;
};

}  // namespace octavo
