#pragma once

// Packets for a decoder on a GPU: the codec's own byte stream, cut into one frame each, with the time at which each is
// shown. Only streams that every decoder shows alike are passed on. The first frame is decoded here, because it tells
// the format, the shape and the turn of the frames as everywhere else; then the packets follow from the first one on.

extern "C" {
#include <libavcodec/bsf.h>
}

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "video/frames/decoder/stream.h"
#include "video/frames/messages.h"
#include "video/frames/request.h"

namespace octavo::video {

struct FreeFilter {
  void operator()(AVBSFContext* filter) const { av_bsf_free(&filter); }
};

class PacketStream {
 public:
  /// Looks at the packets that `stream` keeps and the first frame that they gave. Throws DecodeFailure.
  PacketStream(Stream& stream, const AVFrame& first, const Request& request);

  /// Why this stream is not passed on: "its frames are interlaced"; empty if it is.
  [[nodiscard]] const std::string& objection() const { return objection_; }
  /// Bits of a sample of luma.
  [[nodiscard]] int depth() const { return depth_; }
  /// What the decoder needs before the first packet.
  [[nodiscard]] std::vector<std::byte> header() const;

  /// The next packet; none at the end, or if there is an objection to it, which objection() then tells.
  std::optional<PacketMessage> next();

 private:
  void look_at(const AVFrame& first, const Request& request);
  [[nodiscard]] std::string objection_to(const VideoOptions& options) const;
  [[nodiscard]] std::string objection_to(const AVFrame& first) const;
  void open_filter();
  std::optional<PacketMessage> filtered();
  void check(const AVPacket& packet);

  Stream& stream_;
  std::string objection_;
  int depth_ = 8;
  std::unique_ptr<AVBSFContext, FreeFilter> filter_;
  std::unique_ptr<AVPacket, FreePacket> packet_;
  bool is_first_ = true, is_flushed_ = false;
};

}  // namespace octavo::video
