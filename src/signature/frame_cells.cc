#include "signature/frame_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "signature/frame_matches.h"

namespace octavo {
namespace {

constexpr int columns = 28, rows = 20;  // of cells, in the frame of the query
static_assert(columns % CellGrid::block_columns == 0 && rows % CellGrid::block_rows == 0);

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

VideoOptions every_frame(VideoOptions options) {
  options.every = 1;
  options.size = VideoOptions().size;
  options.stored_luma = options.colour = false;
  return options;
}

}  // namespace

CellGrid cell_grid(const CopySegment& segment, const FrameSize& query, const FrameSize& other) {
  CellGrid grid;
  const Similarity& s = segment.other_from_query;
  const double scale = std::sqrt(s.a * s.a + s.b * s.b);
  // The part of the query's frame that the other's shows: a picture in a picture is a small part.
  double left = query.width, right = 0, top = query.height, bottom = 0;
  constexpr int steps = 100;
  for (int i = 0; i <= steps; ++i) {
    for (int k = 0; k <= steps; ++k) {
      const FramePoint p{query.width * i / steps, query.height * k / steps};
      const FramePoint q = mapped(s, p);
      if (q.x < 0 || q.y < 0 || q.x > other.width || q.y > other.height) continue;
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
  }
  const double half_width = (right - left) / columns / 2, half_height = (bottom - top) / rows / 2;
  for (int i = 0; i < columns; ++i) {
    for (int k = 0; k < rows; ++k) {
      const FramePoint p{left + (2 * i + 1) * half_width, top + (2 * k + 1) * half_height};
      const FramePoint q = mapped(s, p);
      const double to_border = scale * std::max(half_width, half_height);
      if (q.x < to_border || q.y < to_border || q.x > other.width - to_border || q.y > other.height - to_border)
        continue;
      const double x = segment.mirrored ? query.width - 1 - p.x : p.x;
      grid.query.push_back({x, p.y, half_width, half_height});
      grid.other.push_back({q.x, q.y, scale * half_width, scale * half_height});
      const int block_column = i * CellGrid::block_columns / columns, block_row = k * CellGrid::block_rows / rows;
      grid.blocks.push_back(static_cast<std::size_t>(block_column * CellGrid::block_rows + block_row));
    }
  }
  return grid;
}

CellReader::CellReader(const std::filesystem::path& clip, VideoOptions options)
    : video_(clip, every_frame(std::move(options))), frame_(video_.next()) {
  if (frame_) first_ = frame_->seconds;
}

FrameSize CellReader::size() const {
  if (!frame_) return {};
  return {static_cast<double>(frame_->grey.width()), static_cast<double>(frame_->grey.height())};
}

void CellReader::fill(std::span<CellWindow> windows) {
  double last = 0;
  for (const CellWindow& window : windows) last = std::max(last, window.centre + window.reach);
  const FrameSize expected = size();
  while (frame_) {
    const double begin = frame_->seconds - first_;
    if (begin > last) break;
    const FrameSize now = size();
    std::vector<CellWindow*> wanting;
    for (CellWindow& window : windows) {
      if (std::abs(begin - window.centre) > window.reach) continue;
      if (now.width != expected.width || now.height != expected.height) continue;
      FrameCells& cells = window.frames.emplace_back();
      for (const Cell& cell : window.cells) {
        cells.values.push_back(static_cast<float>(mean_of(frame_->grey.view(), cell)));
      }
      wanting.push_back(&window);
    }
    frame_ = video_.next();
    const double end = std::max(frame_ ? frame_->seconds - first_ : video_.seconds_done(), begin);
    for (CellWindow* window : wanting) {
      window->frames.back().begin = begin;
      window->frames.back().end = end;
    }
  }
}

}  // namespace octavo
