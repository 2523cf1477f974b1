#include "video/frames/frame_reader.h"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "io/files/ending.h"
#include "octavo/io/image_formats.h"
#include "video/frames/image_reader.h"
#include "video/frames/packet_decoder.h"
#include "video/frames/video_file.h"
#include "video/frames/video_reader.h"

namespace octavo::video {
namespace {

// Images that follow each other in a file are a video, and begin as images do.
bool has_many_images(const std::filesystem::path& file, std::string_view format) {
  const std::string ending = io::ending_of(file);
  return format == "gif" || ending == ".mjpg" || ending == ".mjpeg" || ending == ".apng";
}

// The format of a file that is an image; empty: it is none. Of a pipe nothing can be known.
std::string_view format_of(const VideoFile& open, const std::filesystem::path& file) {
  std::array<std::byte, 128> begin{};
  const ssize_t count = pread(open.number(), begin.data(), begin.size(), 0);
  if (count <= 0) return {};
  const std::string_view format = image_format(std::span(begin).first(static_cast<std::size_t>(count)));
  return has_many_images(file, format) ? std::string_view() : format;
}

}  // namespace

// The decoder has its own copy of the descriptor.
std::unique_ptr<FrameReader> open_frames(const std::filesystem::path& file, const VideoOptions& options,
                                         std::vector<Part> parts) {
  validate(options);
  const VideoFile open(file, options.patience);
  const std::string_view format = format_of(open, file);
  if (!format.empty()) return std::make_unique<ImageReader>(file, format, options);
  return std::make_unique<VideoReader>(open.number(), file.string(), options, packet_engine(options), std::move(parts));
}

}  // namespace octavo::video
