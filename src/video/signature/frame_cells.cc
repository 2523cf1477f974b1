#include "video/signature/frame_cells.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "video/signature/frame_matches.h"

namespace octavo {
namespace {

// Chosen with the rule of ends: docs/video-search.md, Ends.
constexpr int cell_columns = 28, cell_rows = 20;  // of cells, in the frame of the query
static_assert(cell_columns % CellGrid::block_columns == 0 && cell_rows % CellGrid::block_rows == 0);

double mean_of(const ImageView& grey, const Cell& cell) {
  const auto clamped = [](double x, int size) {
    return static_cast<int>(std::clamp(std::floor(x + 0.5), 0.0, size - 1.0));
  };
  const int left = clamped(cell.x - cell.half_width, grey.width);
  const int right = clamped(cell.x + cell.half_width, grey.width);
  const int top = clamped(cell.y - cell.half_height, grey.height);
  const int bottom = clamped(cell.y + cell.half_height, grey.height);
  std::int64_t sum = 0;
  for (int y = top; y <= bottom; ++y) {
    const std::byte* const row = grey.row(y);
    for (int x = left; x <= right; ++x) sum += std::to_integer<int>(row[x]);
  }
  return static_cast<double>(sum) / ((right - left + 1) * (bottom - top + 1));
}

}  // namespace

CellGrid cell_grid(const CopySegment& segment, const FrameSize& query, const FrameSize& other) {
  CellGrid grid;
  const Similarity& s = segment.other_from_query;
  const double scale = std::sqrt(s.a * s.a + s.b * s.b);
  // The part of the query's frame that the other's shows: an image in an image is a small part.
  double left = query.width, right = 0, top = query.height, bottom = 0;
  constexpr int steps = 100;  // along a side: the part is known to a hundredth of the frame
  for (int i = 0; i <= steps; ++i) {
    for (int k = 0; k <= steps; ++k) {
      const FramePoint p{query.width * i / steps, query.height * k / steps};
      const FramePoint q = mapped(s, p);
      if (q.x < 0 || q.y < 0 || q.x > other.width || q.y > other.height) continue;
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
  }
  const double half_width = (right - left) / cell_columns / 2, half_height = (bottom - top) / cell_rows / 2;
  for (int i = 0; i < cell_columns; ++i) {
    for (int k = 0; k < cell_rows; ++k) {
      const FramePoint p{left + (2 * i + 1) * half_width, top + (2 * k + 1) * half_height};
      const FramePoint q = mapped(s, p);
      const double to_border = scale * std::max(s.stretch * half_width, half_height);
      if (q.x < to_border || q.y < to_border || q.x > other.width - to_border || q.y > other.height - to_border)
        continue;
      const double x = segment.mirrored ? query.width - 1 - p.x : p.x;
      grid.query.push_back({x, p.y, half_width, half_height});
      grid.other.push_back({q.x, q.y, scale * s.stretch * half_width, scale * half_height});
      const int block_column = i * CellGrid::block_columns / cell_columns,
                block_row = k * CellGrid::block_rows / cell_rows;
      grid.blocks.push_back(static_cast<std::size_t>(block_column * CellGrid::block_rows + block_row));
    }
  }
  return grid;
}

std::vector<float> means_of(const ImageView& grey, std::span<const Cell> cells, bool negative) {
  std::vector<float> means;
  means.reserve(cells.size());
  for (const Cell& cell : cells) {
    const double mean = mean_of(grey, cell);
    means.push_back(static_cast<float>(negative ? 255 - mean : mean));
  }
  return means;
}

// A value is the mean between edges: it changes by what enters at one of them, less what leaves at the other.
std::vector<CellSlopes> slopes_of(const ImageView& grey, std::span<const Cell> cells) {
  constexpr double edge = 1.5;  // [pixel] half of the width of the strip along an edge
  if (cells.empty()) return {};
  const auto [left, right] = std::ranges::minmax(cells, {}, &Cell::x);
  const auto [top, bottom] = std::ranges::minmax(cells, {}, &Cell::y);
  const double middle_x = (left.x + right.x) / 2, middle_y = (top.y + bottom.y) / 2;
  const double half = std::max((right.x - left.x) / 2, 1.0);
  std::vector<CellSlopes> slopes;
  slopes.reserve(cells.size());
  for (const Cell& c : cells) {
    const auto strip = [&](double x, double y, double half_width, double half_height) {
      return mean_of(grey, {c.x + x, c.y + y, half_width, half_height});
    };
    const double across = (strip(c.half_width, 0, edge, c.half_height) - strip(-c.half_width, 0, edge, c.half_height)) /
                          (2 * c.half_width);
    const double down = (strip(0, c.half_height, c.half_width, edge) - strip(0, -c.half_height, c.half_width, edge)) /
                        (2 * c.half_height);
    const double u = (c.x - middle_x) / half, v = (c.y - middle_y) / half;
    slopes.push_back({static_cast<float>(across), static_cast<float>(down), static_cast<float>(u * across + v * down),
                      static_cast<float>(u * down - v * across)});
  }
  return slopes;
}

void turn_back(CellWindow& window) {
  window.centre = -window.centre;
  std::ranges::reverse(window.frames);
  for (FrameCells& frame : window.frames) frame.begin = -std::exchange(frame.end, -frame.begin);
}

}  // namespace octavo
