#pragma once

// From packets to the frames that the options take, with the indexes and times that FFmpeg's decoders give them. Where
// a decoder of packets does not show exactly one frame for each packet, in the order of the packets' times, the two
// would differ: then the CPU decodes.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "octavo/video/video.h"
#include "video/frames/packet_decoder.h"
#include "video/frames/sampling.h"

namespace octavo::video {

class PacketFrames {
 public:
  PacketFrames(const VideoFacts& facts, const VideoOptions& options, std::unique_ptr<PacketDecoder> decoder);

  /// Takes the next packet. Throws NotDecodable and Error.
  void decode(const PacketMessage& packet);
  /// There are no more packets. Throws NotDecodable and Error.
  void finish();
  /// The next frame that is ready and taken.
  std::optional<VideoFrame> take();

  /// The number of frames that were shown so far.
  [[nodiscard]] std::int64_t shown() const { return shown_; }

 private:
  struct Awaited {
    std::int64_t duration_ticks;
    bool key;
  };

  void show(std::int64_t ticks, const std::function<Image()>& grey);

  const VideoFacts facts_;
  Sampling sampling_;
  std::map<std::int64_t, Awaited> awaited_;  // by time, the frames of packets that were decoded and not shown
  std::deque<VideoFrame> ready_;
  std::int64_t shown_ = 0;
  std::optional<std::int64_t> last_;        // [tick]
  std::unique_ptr<PacketDecoder> decoder_;  // the last: it goes first
};

}  // namespace octavo::video
