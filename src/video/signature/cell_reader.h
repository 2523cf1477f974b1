// Reads the cells of the frames around some times of a clip.

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "octavo/progress.h"
#include "octavo/video/video_file.h"
#include "video/signature/frame_cells.h"

namespace octavo {

class FramesAround;
struct ShownFrame;

/// Reads the frames around some times of a clip once.
class CellReader {
 public:
  /// `centres` and `reach` are those of the windows, or more. [second] Throws what Video throws.
  CellReader(const std::filesystem::path& clip, const VideoOptions& options, std::span<const double> centres,
             double reach);
  ~CellReader();
  CellReader(CellReader&&) noexcept;
  CellReader& operator=(CellReader&&) = delete;
  /// Of the first frame; frames of another size are left out. 0 if the clip has no frame.
  [[nodiscard]] FrameSize size() const;
  /// Fills all windows, up to the last one. `progress` is told of each frame.
  void fill(std::span<CellWindow* const> windows, const ProgressSink& progress = {});

 private:
  [[nodiscard]] std::optional<FrameCells> cells_of(const CellWindow& window, const ShownFrame& shown) const;

  std::unique_ptr<FramesAround> frames_;  // so that those who want cells alone need not know images
  FrameSize size_;
};

}  // namespace octavo
