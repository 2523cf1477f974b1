#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "octavo/video/video.h"
#include "video/frames/parts.h"

namespace octavo::video {

/// Reads parts of a video, with leaps to key frames between them where these give the same frames and times as reading
/// from the beginning (decoder/leaps.h); otherwise it is read from the beginning. Times are those of signatures, which
/// never go back (VideoOptions::ascending).
class VideoParts {
 public:
  /// `every`, `fps`, `live` and `ascending` of the options have no effect: all frames of the parts are given. Without
  /// parts, all of the video. Throws what Video throws.
  VideoParts(const std::filesystem::path& file, const VideoOptions& options, std::vector<Part> parts);
  ~VideoParts();
  VideoParts(const VideoParts&) = delete;
  VideoParts& operator=(const VideoParts&) = delete;

  /// The next frame: the first one of the video, and of each part the last frame before it, its frames, and the
  /// first frame after it. Others may come too. `index` counts the frames that were decoded. None after the last part.
  std::optional<VideoFrame> next();
  /// Whether the file is an image, which is the only frame.
  [[nodiscard]] bool is_image() const;
  /// [second] from the first frame to the last that was decoded; at the end of the video that at which the last one
  /// ends.
  [[nodiscard]] double seconds_done() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo::video
