#pragma once

// A file with one image, as a video of one frame that has no time: its length is 0.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "video/frames/frame_reader.h"

namespace octavo::video {

class ImageReader : public FrameReader {
 public:
  /// Reads the image (read_image): upright, and black where its alpha hides more than half. `format` is that of
  /// image_format. Of the options `size`, `colour`, `max_pixels`, and the range of values count. Throws what read_image
  /// throws.
  ImageReader(const std::filesystem::path& file, std::string_view format, const VideoOptions& options);

  std::optional<VideoFrame> next() override;
  [[nodiscard]] const VideoFacts& facts() const override { return facts_; }
  [[nodiscard]] double decoding_seconds() const override { return 0; }
  [[nodiscard]] std::int64_t decoded() const override { return frame_ ? 0 : 1; }
  [[nodiscard]] double seconds_done() const override { return 0; }
  [[nodiscard]] const std::vector<VideoWarning>& warnings() const override { return warnings_; }

 private:
  VideoFacts facts_;
  std::vector<VideoWarning> warnings_;  // none
  std::optional<VideoFrame> frame_;     // until it is given
};

}  // namespace octavo::video
