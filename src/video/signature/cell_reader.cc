#include "video/signature/cell_reader.h"

#include "video/signature/frames_around.h"

namespace octavo {

CellReader::CellReader(const std::filesystem::path& clip, const VideoOptions& options, std::span<const double> centres,
                       double reach)
    : frames_(std::make_unique<FramesAround>(clip, options, centres, reach)) {
  if (const auto size = frames_->size()) size_ = {1.0 * size->first, 1.0 * size->second};
}

CellReader::~CellReader() = default;
CellReader::CellReader(CellReader&&) noexcept = default;

FrameSize CellReader::size() const { return size_; }

std::optional<FrameCells> CellReader::cells_of(const CellWindow& window, const ShownFrame& shown) const {
  if (shown.grey.width() != size_.width || shown.grey.height() != size_.height) return std::nullopt;
  FrameCells frame{shown.begin, shown.end, means_of(shown.grey.view(), window.cells, window.negative)};
  if (window.slopes) frame.slopes = slopes_of(shown.grey.view(), window.cells);
  return frame;
}

void CellReader::fill(std::span<CellWindow* const> windows, const ProgressSink& progress) {
  fill_windows(
      *frames_, windows, progress, [](const FrameCells& frame) { return frame.begin; },
      [&](const CellWindow& window, const SharedFrame& shown) { return cells_of(window, *shown); },
      [](const CellWindow&, bool) {});
}

}  // namespace octavo
