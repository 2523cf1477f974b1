// The order in which windows are served where the images of fine octaves are too large to stay in memory. Detection
// drops these images. Afterwards they are made again, band by band from top to bottom and only where a window lies, and
// points are served band by band. A budget keeps few points, so this is less work than it seems, and a band is all that
// is in memory.

#pragma once

#include <cstddef>
#include <vector>

#include "engine/extract/oriented.h"
#include "engine/scale_space/octave_cpu.h"
#include "engine/sift/pooling.h"
#include "engine/sift/sift_parts.h"

namespace octavo {

/// Rows of an octave.
struct Rows {
  int begin = 0, end = 0;
};

/// The pixels of an octave that windows read, in cells.
class NeededPixels {
 public:
  explicit NeededPixels(Size octave);

  /// Adds the pixels up to `reach` from this one to all sides.
  void add(int column, int row, int reach);

  /// Tiles that hold all needed pixels of these rows. Between two tiles of the same columns are more than `gap` rows.
  [[nodiscard]] std::vector<Tile> tiles(const Rows& rows, int gap) const;

 private:
  static constexpr int cell_width = 256, cell_height = 16;

  Size octave_;
  int columns_, rows_;  // of cells
  std::vector<char> needed_;
};

/// The visits to points, as indices, ascending.
struct Visits {
  /// Those whose windows lie in images that stay.
  std::vector<std::size_t> of_images_that_stay;

  struct Band {
    std::vector<std::size_t> points;
    /// For each octave that was dropped, the rows that their windows read. From band to band both ends ascend or stay.
    /// Empty if `begin` is not below `end`.
    std::vector<Rows> rows;
  };
  std::vector<Band> bands;
  std::vector<NeededPixels> needed;  ///< of each octave that was dropped

  /// The most rows of this octave that are in memory together.
  [[nodiscard]] int most_rows(std::size_t octave) const;
};

/// The octaves whose images were dropped, and the bands in which they are made again.
struct DroppedOctaves {
  std::vector<Size> sizes;  ///< of the first octaves
  /// [pixel of the first octave] The centres of a band's points are in so many rows.
  int band_height = 0;
  int reach = 0;  ///< [pixel] from the centre of a window to the farthest pixel that it reads

  /// At most so many rows of an octave are in memory together.
  [[nodiscard]] int most_rows(std::size_t octave) const;
};

/// The octaves that are dropped of a scale space whose windows reach so far: those of more than 2^24 pixels. A band of
/// all images takes about 48 MiB.
DroppedOctaves dropped_octaves(const ScaleSpacePlan& plan, int reach);

/// The visits to points.
Visits plan_visits(const std::vector<Oriented>& points, const DroppedOctaves& dropped, const PoolingRecord& pooling,
                   const DescriptionOptions& description);

}  // namespace octavo
