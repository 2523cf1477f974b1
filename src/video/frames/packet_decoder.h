#pragma once

// A decoder that takes the packets of a stream in the order of decoding and shows frames in the order of time. On a
// GPU it is NVDEC (nvdec/nvdec.h).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "octavo/image_view.h"
#include "video/frames/messages.h"
#include "video/frames/request.h"

namespace octavo::video {

/// Why a decoder of packets cannot decode a stream, or cannot go on: "its frames are interlaced". The CPU does it.
class NotDecodable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What makes bytes of luma of a decoded frame.
struct LumaForm {
  ImageSize stored;           ///< [pixel] of the frame
  ImageSize scaled;           ///< [pixel] of the image, before it is turned
  int depth = 8;              ///< bits of a sample, 8…16
  bool limited_range = true;  ///< luma is stored from 16 to 235, in 8 bits
  bool stretch = true;        ///< a limited range to 0…255
};

struct PacketFormat {
  std::string codec;  ///< FFmpeg's name, e.g. "h264"
  LumaForm luma;
  Ratio time_base{1, 1};            ///< [second] a tick
  std::vector<std::byte> header{};  ///< PacketsMessage::header
};

/// Used by one thread at a time. After an exception it is only destroyed.
class PacketDecoder {
 public:
  /// Gets each frame's time, in the order in which they are shown. `grey` makes its image, scaled and not turned, and
  /// is valid during the call. Frames whose image is not asked for cost no more than their decoding.
  using Show = std::function<void(std::int64_t ticks, const std::function<Image()>& grey)>;

  virtual ~PacketDecoder() = default;
  /// Takes a packet, and shows the frames that are ready. Throws NotDecodable, Error, and what `show` throws.
  virtual void decode(const PacketMessage& packet, const Show& show) = 0;
  /// Shows the frames that are left after the last packet. Throws as `decode` does.
  virtual void finish(const Show& show) = 0;
};

/// Makes the decoder of a stream. Throws NotDecodable and Error.
using PacketDecoderMaker = std::function<std::unique_ptr<PacketDecoder>(const PacketFormat&)>;

/// What the options ask for.
struct PacketEngine {
  Packets packets = Packets::none;
  PacketDecoderMaker make{};
  std::string objection{};  ///< why frames come from the CPU although a GPU was meant; else empty
};

/// Throws Error(device_unavailable) if NVDEC is asked for and the machine has none.
PacketEngine packet_engine(const VideoOptions& options);

}  // namespace octavo::video
