#include "video/signature/frames_around.h"

namespace octavo {
namespace {

VideoOptions every_frame(VideoOptions options) {
  options.every = 1;
  options.size = VideoOptions().size;
  options.stored_luma = options.colour = false;
  return options;
}

std::vector<video::Part> parts_around(std::span<const double> centres, double reach) {
  constexpr double few_frames = 2;  // [second] more, for clips with few frames a second
  std::vector<video::Part> parts;
  for (const double centre : centres) parts.push_back({centre - reach - few_frames, centre + reach + few_frames});
  return parts;
}

}  // namespace

FramesAround::FramesAround(const std::filesystem::path& clip, const VideoOptions& options,
                           std::span<const double> centres, double reach)
    : video_(clip, every_frame(options), parts_around(centres, reach)), frame_(video_.next()) {
  if (!frame_) return;
  first_ = frame_->seconds;
  size_ = {frame_->grey.width(), frame_->grey.height()};
}

SharedFrame FramesAround::next() {
  if (!frame_) return nullptr;
  const double begin = frame_->seconds - first_;
  Image grey = std::move(frame_->grey);
  frame_ = video_.next();
  const double end = frame_ ? frame_->seconds - first_ : video_.seconds_done();
  return std::make_shared<const ShownFrame>(std::move(grey), begin, std::max(begin, end));
}

}  // namespace octavo
