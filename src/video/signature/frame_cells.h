// Frames as some hundred mean values: the cells of a grid, which lies over the same parts of the images of two clips.
// The correlation of these values tells whether two frames are the same; brightness and contrast do not matter to it.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/video/copy_segment.h"

namespace octavo {

/// A rectangle of a frame whose mean is a value. [pixel]
struct Cell {
  double x = 0, y = 0, half_width = 0, half_height = 0;
};

struct FrameSize {
  double width = 0, height = 0;
};

/// Cells of both clips that show the same.
struct CellGrid {
  static constexpr int block_columns = 7, block_rows = 5;
  static constexpr std::size_t block_count = block_columns * block_rows;
  std::vector<Cell> query, other;
  std::vector<std::size_t> blocks;  ///< the block of 16 neighbouring cells that each belongs to
};

/// The grid over the part of the query's frame that the other clip's frame shows.
CellGrid cell_grid(const CopySegment& segment, const FrameSize& query, const FrameSize& other);

/// The means of the cells of an image, or of its negative.
std::vector<float> means_of(const ImageView& grey, std::span<const Cell> cells, bool negative);

/// By how much the value of a cell changes if it lies elsewhere: by a pixel to the right, and down; and if the grid
/// grows, and turns from right to down, about its middle by a pixel at half of its width. [grey value/pixel]
using CellSlopes = std::array<float, 4>;

/// A frame by its cells.
struct FrameCells {
  double begin = 0, end = 0;  ///< [second] when the frame is shown, from the first frame
  std::vector<float> values;
  std::vector<CellSlopes> slopes{};  ///< of each value, if the window wants them
};

/// The slopes of the cells of an image.
std::vector<CellSlopes> slopes_of(const ImageView& grey, std::span<const Cell> cells);

/// The frames of a clip that are shown around a time: those within `reach`, and five on either side of clips with few
/// frames a second.
struct CellWindow {
  double centre = 0, reach = 0;  ///< [second]
  std::span<const Cell> cells;
  bool negative = false;  ///< the values are those of the negative
  bool slopes = false;    ///< the frames have slopes
  std::vector<FrameCells> frames{};
};

/// Counts the times of a window down, or up again.
void turn_back(CellWindow& window);

}  // namespace octavo
