#pragma once

// A video stream of a file, decoded frame by frame, from its beginning to its end. One thread decodes: with several,
// FFmpeg's guesses at damaged parts depend on the threads' luck. The inverse DCT of MPEG-1, 2 and 4 is the one that is
// exact on every machine (`simple`, with the flag `bitexact`).

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "octavo/video/video_file.h"
#include "video/frames/decoder/input.h"
#include "video/frames/decoder/message_output.h"

namespace octavo::video {

struct FreeFormat {
  void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
};
struct FreeCodec {
  void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
};
struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
struct FreeFrame {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};

class Stream {
 public:
  /// Opens the standard input and chooses the stream. Takes `max_pixels`, `fast` and `live` of the
  /// options. `keeps_packets`: next_packet() may be called. Throws DecodeFailure.
  Stream(MessageOutput& output, const VideoOptions& options, bool keeps_packets);

  /// The next frame, valid until the next call; null after the last one. Throws DecodeFailure.
  const AVFrame* next();

  /// Goes on with the key frame that the container has at or before this time [tick]: its packet, valid until the next
  /// call, or null if there is none. next() then gives the frames from it on.
  const AVPacket* seek(std::int64_t ticks);

  /// The next packet of the stream, from the first one on, also those that next() has decoded; null at the end. Valid
  /// until the next call. After it next() must not be called any more.
  AVPacket* next_packet();
  /// Packets are decoded and not passed on: those that were kept are dropped.
  void drop_packets();
  [[nodiscard]] AVFormatContext& format() const { return *format_; }
  [[nodiscard]] AVStream& stream() const { return *stream_; }
  [[nodiscard]] std::string codec_name() const { return avcodec_get_name(stream_->codecpar->codec_id); }

  /// The decoder and the version of its library: "h264 (libavcodec 59.37.100)".
  [[nodiscard]] std::string decoder_name() const;

  /// What may help if a pipe gives no frame; empty for a file.
  [[nodiscard]] std::string hint() const;
  /// A regular file, which can be read again.
  [[nodiscard]] bool is_file() const { return input_.is_file(); }
  /// Packets that could not be decoded.
  [[nodiscard]] std::int64_t damaged_packets() const { return damaged_packets_; }
  /// Why the container could not be read to its end; empty if it could.
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }

 private:
  void open();
  void choose_stream();
  void open_codec();
  bool read_packet();
  void feed();

  MessageOutput& output_;
  std::uint64_t max_pixels_;
  bool fast_, is_device_, is_live_, keeps_packets_;
  Input input_;  // before format_, which uses it until the end
  std::unique_ptr<AVFormatContext, FreeFormat> format_;
  AVStream* stream_ = nullptr;
  std::unique_ptr<AVCodecContext, FreeCodec> codec_;
  std::unique_ptr<AVPacket, FreePacket> packet_;
  std::unique_ptr<AVFrame, FreeFrame> frame_;
  std::deque<std::unique_ptr<AVPacket, FreePacket>> kept_;
  bool has_packet_ = false;  // packet_ waits for the decoder
  std::int64_t damaged_packets_ = 0;
  std::string stop_reason_;
};

}  // namespace octavo::video
