// One octave of the scale space on the CPU, computed in tiles that stay in the cache.
//
// Blurs of whole images write and read every Gaussian image through main memory, which costs more than their
// arithmetic. Here a tile of the octave streams from top to bottom through all its levels at once: a few rows of the
// input enter, and every level produces the rows that are now possible. Each row is kept only while a later level or
// the sink needs it (a ring of rows per level). Only requested output leaves the cache: whole planes of chosen levels,
// and the next octave's first image. Tiles overlap by the sum of the blurs' radii and are otherwise independent, so
// threads need no order.

#pragma once

#include <array>
#include <vector>

#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/scale_space/plan.h"
#include "octavo/image_view.h"

namespace octavo {

/// Pixels [x_begin, x_end) × [y_begin, y_end) of an octave; x_begin is a multiple of 16.
struct Tile {
  int x_begin = 0, x_end = 0;
  int y_begin = 0, y_end = 0;
};

/// Cuts an octave so that a tile's rings stay in the caches and every thread has work.
std::vector<Tile> cut_into_tiles(Size octave, int threads);

/// The rows of one level that a tile holds at present.
struct LevelRows {
  const float* origin = nullptr;  ///< of the row in slot 0, shifted so that [x] is column x of the octave
  std::ptrdiff_t stride = 0;      ///< [float] from slot to slot
  int slots = 0;                  ///< row y is in slot y mod slots

  [[nodiscard]] const float* row(int y) const { return origin + (y % slots) * stride; }
  /// Rows y − 1, y and y + 1. A division for each row would take as long as its use.
  [[nodiscard]] std::array<const float*, 3> rows_around(int y) const {
    int slot = (y - 1) % slots;
    std::array<const float*, 3> rows;
    for (const float*& one : rows) {
      one = origin + slot * stride;
      if (++slot == slots) slot = 0;
    }
    return rows;
  }
};

/// Receives the rows of a tile when they are complete.
class TileSink {
 public:
  virtual ~TileSink() = default;
  /// Rows [y_begin, y_end) of the tile are complete: on every level, rows and columns up to `reach` beyond them (within
  /// the octave) can be read, on the last one up to `last_reach`. Calls come in order and cover the tile once.
  virtual void rows_ready(const std::vector<LevelRows>& levels, int y_begin, int y_end) = 0;
};

struct OctaveJob {
  const ScaleSpacePlan* plan = nullptr;
  Size size;                         ///< of the octave
  const ImageView* image = nullptr;  ///< the input of the first octave, or null
  Luma luma = Luma::bt709;
  const Plane* first = nullptr;  ///< the first image of a later octave, or null
  int reach = 0;                 ///< [pixel] distance beyond its tile that the sink reads
  int last_reach = 0;            ///< the same for the last level, if it is greater
  /// One plane per level, of the octave's size; null for levels that are not kept.
  std::vector<Plane*> keep;
  /// Receives the next octave's first image; null if it is not needed.
  Plane* half = nullptr;
};

/// Processes tiles. It holds the rings, so each thread has one.
class OctaveCpu {
 public:
  explicit OctaveCpu(Isa isa) : isa_(std::move(isa)) {}

  /// `sink` may be null.
  void run(const OctaveJob& job, const Tile& tile, TileSink* sink);

  /// [byte] that the rings of this tile take. The images of the job need no pixels.
  [[nodiscard]] std::size_t bytes_for(const OctaveJob& job, const Tile& tile) const;

 private:
  Isa isa_;
  Plane rings_;
};

}  // namespace octavo
