#include "video/video_parts.h"

#include <utility>

#include "video/packet_decoder.h"
#include "video/video_file.h"
#include "video/video_reader.h"

namespace octavo::video {
namespace {

VideoOptions every_frame(VideoOptions options) {
  options.every = 1;
  options.live = false;
  options.ascending = true;
  return options;
}

}  // namespace

class VideoParts::Impl {
 public:
  Impl(const std::filesystem::path& file, const VideoOptions& options, std::vector<Part> parts)
      : reader(VideoFile(file).number(), file.string(), options, packet_engine(options), std::move(parts)) {}

  VideoReader reader;
};

VideoParts::VideoParts(const std::filesystem::path& file, const VideoOptions& options, std::vector<Part> parts)
    : impl_(std::make_unique<Impl>(file, every_frame(options), merged(std::move(parts)))) {}
VideoParts::~VideoParts() = default;
std::optional<VideoFrame> VideoParts::next() { return impl_->reader.next(); }
double VideoParts::seconds_done() const { return impl_->reader.seconds_done(); }

}  // namespace octavo::video
