#include "video/frames/packet_frames.h"

#include <utility>

#include "video/frames/orientation.h"

namespace octavo::video {
namespace {

// More than any codec holds back.
constexpr std::size_t most_awaited = 256;

}  // namespace

PacketFrames::PacketFrames(const VideoFacts& facts, const VideoOptions& options, std::unique_ptr<PacketDecoder> engine)
    : facts_(facts), sampling_(options.every, options.fps, facts.time_base), decoder_(std::move(engine)) {}

void PacketFrames::decode(const PacketMessage& packet) {
  if (last_ && packet.ticks <= *last_) throw NotDecodable("its times go back");
  if (!awaited_.emplace(packet.ticks, Awaited{packet.duration_ticks, packet.key}).second) {
    throw NotDecodable("two of its frames have one time");
  }
  if (awaited_.size() > most_awaited) throw NotDecodable("its frames are not shown");
  decoder_->decode(packet, [this](std::int64_t ticks, const auto& grey) { show(ticks, grey); });
}

void PacketFrames::finish() {
  decoder_->finish([this](std::int64_t ticks, const auto& grey) { show(ticks, grey); });
  if (!awaited_.empty()) throw NotDecodable("not all of its frames are shown");
}

void PacketFrames::show(std::int64_t ticks, const std::function<Image()>& grey) {
  if (awaited_.empty() || awaited_.begin()->first != ticks) throw NotDecodable("its frames are shown in another order");
  const Awaited packet = awaited_.begin()->second;
  awaited_.erase(awaited_.begin());
  last_ = ticks;
  const std::int64_t index = shown_++;
  if (!sampling_.takes(ticks)) return;
  VideoFrame frame;
  frame.index = index;
  frame.ticks = ticks;
  frame.seconds = static_cast<double>(ticks) * static_cast<double>(facts_.time_base.numerator) /
                  static_cast<double>(facts_.time_base.denominator);
  frame.duration_ticks = packet.duration_ticks;
  frame.stored_width = facts_.width;
  frame.stored_height = facts_.height;
  frame.key = packet.key;
  const Orientation orientation{facts_.rotation, facts_.mirrored};
  frame.grey = grey();
  if (orientation != Orientation{}) frame.grey = octavo::video::shown(frame.grey, orientation);
  ready_.push_back(std::move(frame));
}

std::optional<VideoFrame> PacketFrames::take() {
  if (ready_.empty()) return std::nullopt;
  VideoFrame frame = std::move(ready_.front());
  ready_.pop_front();
  return frame;
}

}  // namespace octavo::video
