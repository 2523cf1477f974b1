#include "video/frames/video_parts.h"

#include <utility>

#include "video/frames/frame_reader.h"

namespace octavo::video {
namespace {

VideoOptions every_frame(VideoOptions options) {
  options.every = 1;
  options.live = false;
  options.ascending = true;
  return options;
}

// So few that a process can be told of them: the nearest ones become one, with the frames between them.
std::vector<Part> few(std::vector<Part> parts) {
  parts = merged(std::move(parts));
  for (double apart = far_apart; parts.size() > most_parts; apart *= 2) parts = merged(std::move(parts), apart);
  return parts;
}

}  // namespace

class VideoParts::Impl {
 public:
  Impl(const std::filesystem::path& file, const VideoOptions& options, std::vector<Part> parts)
      : reader(open_frames(file, options, std::move(parts))) {}

  std::unique_ptr<FrameReader> reader;
};

VideoParts::VideoParts(const std::filesystem::path& file, const VideoOptions& options, std::vector<Part> parts)
    : impl_(std::make_unique<Impl>(file, every_frame(options), few(std::move(parts)))) {}
VideoParts::~VideoParts() = default;
std::optional<VideoFrame> VideoParts::next() { return impl_->reader->next(); }
bool VideoParts::is_image() const { return octavo::is_image(impl_->reader->facts()); }
double VideoParts::seconds_done() const { return impl_->reader->seconds_done(); }

}  // namespace octavo::video
