#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "octavo/video/video.h"
#include "video/frames/parts.h"

namespace octavo::video {

/// VideoFacts::container of an image. No container of FFmpeg is called so.
inline constexpr std::string_view image_container = "image";

/// What gives the frames of a file: see Video.
class FrameReader {
 public:
  virtual ~FrameReader() = default;
  virtual std::optional<VideoFrame> next() = 0;
  [[nodiscard]] virtual const VideoFacts& facts() const = 0;
  [[nodiscard]] virtual double decoding_seconds() const = 0;
  [[nodiscard]] virtual std::int64_t decoded() const = 0;
  [[nodiscard]] virtual double seconds_done() const = 0;
  [[nodiscard]] virtual const std::vector<VideoWarning>& warnings() const = 0;
};

/// The reader of a file by its content: an image is read here, everything else by octavo-decode. `parts`: see
/// VideoReader. Throws what Video throws.
std::unique_ptr<FrameReader> open_frames(const std::filesystem::path& file, const VideoOptions& options,
                                         std::vector<Part> parts = {});

}  // namespace octavo::video
