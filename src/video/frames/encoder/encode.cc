// Images, through an encoder of FFmpeg's libavcodec, into a container of libavformat. There are no frames that depend
// on later ones (B-frames), so that packets come in the order of the images, and each takes the time of its image
// exactly, in whatever unit the encoder counts.

#include "video/frames/encoder/encode.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
}

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>

#include "video/frames/decoder/failure.h"
#include "video/frames/encoder/file_output.h"

namespace octavo::video {
namespace {

struct FreeFormat {
  void operator()(AVFormatContext* format) const { avformat_free_context(format); }
};
struct FreeCodec {
  void operator()(AVCodecContext* codec) const { avcodec_free_context(&codec); }
};
struct FreeFrame {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
using CodecPointer = std::unique_ptr<AVCodecContext, FreeCodec>;

[[noreturn]] void fail(const char* what, int error) {
  throw std::runtime_error(fmt::format("{}: {}{}", what, text_of_error(error), last_message()));
}

void require(int result, const char* what) {
  if (result == AVERROR(ENOMEM)) throw std::bad_alloc();
  if (result < 0) fail(what, result);
}

AVRational rational_of(const Ratio& ratio) {
  return {static_cast<int>(ratio.numerator), static_cast<int>(ratio.denominator)};
}

// The standard input ends only if the library gives up.
void read(void* bytes, std::size_t count) {
  auto* at = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::read(STDIN_FILENO, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw std::runtime_error("the images end too early");
    at += got;
    count -= static_cast<std::size_t>(got);
  }
}

// MPEG-4 counts time in units of at most 1/65535 s. 1/60000 s fits the usual frame rates.
AVRational time_base_of(std::string_view encoder, AVRational wanted) {
  return encoder == "mpeg4" && wanted.den > 65535 ? AVRational{1, 60000} : wanted;
}

// Good quality at the speed of real time.
void set_quality(AVCodecContext& codec, std::string_view encoder, bool is_stream) {
  if (encoder == "libx264") {
    if (is_stream) av_opt_set(codec.priv_data, "tune", "zerolatency", 0);
    av_opt_set(codec.priv_data, "preset", "veryfast", 0);
    av_opt_set(codec.priv_data, "crf", "20", 0);
  } else if (encoder == "mpeg4") {
    codec.flags |= AV_CODEC_FLAG_QSCALE;
    codec.global_quality = 3 * FF_QP2LAMBDA;
  } else {  // those that want a number of bits: 0.2 a pixel
    codec.bit_rate = static_cast<std::int64_t>(0.2 * codec.width * codec.height * av_q2d(codec.framerate));
  }
}

// The encoder, opened; null if FFmpeg has none of this name, or it refuses.
CodecPointer opened(const std::string& name, const EncodeRequest& request, bool global_header) {
  const AVCodec* const encoder = avcodec_find_encoder_by_name(name.c_str());
  if (encoder == nullptr) return nullptr;
  CodecPointer codec(avcodec_alloc_context3(encoder));
  if (codec == nullptr) throw std::bad_alloc();
  codec->width = request.size.width;
  codec->height = request.size.height;
  codec->pix_fmt = AV_PIX_FMT_YUV420P;
  codec->color_range = AVCOL_RANGE_MPEG;
  codec->colorspace = AVCOL_SPC_SMPTE170M;
  codec->sample_aspect_ratio = {1, 1};
  codec->time_base = time_base_of(name, rational_of(request.time_base));
  codec->framerate = rational_of(request.frame_rate);
  codec->gop_size = 50;
  codec->max_b_frames = 0;
  codec->thread_count = 0;
  if (global_header) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  set_quality(*codec, name, request.is_stream);
  return avcodec_open2(codec.get(), encoder, nullptr) < 0 ? nullptr : std::move(codec);
}

class Encoding {
 public:
  Encoding(const EncodeRequest& request, MessageOutput& output)
      : request_(request),
        output_(output),
        file_(request.is_stream),
        frame_(av_frame_alloc()),
        packet_(av_packet_alloc()) {
    if (frame_ == nullptr || packet_ == nullptr) throw std::bad_alloc();
    AVFormatContext* format = nullptr;
    require(avformat_alloc_output_context2(&format, nullptr, request.container.c_str(), nullptr), "no container");
    format_.reset(format);
    format->pb = file_.context();
    format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    if (request.is_stream) format->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    open_codec();
    open_stream();
    allocate_frame();
  }

  void run() {
    VideoFacts facts;
    facts.container = request_.container;
    facts.codec = avcodec_get_name(codec_->codec_id);
    facts.width = request_.size.width;
    facts.height = request_.size.height;
    facts.time_base = request_.time_base;
    output_.send(facts);
    std::int64_t images = 0;
    for (ImageHead head = next_head(); head.is_end == 0; head = next_head()) {
      take(head);
      ++images;
    }
    flushing_ = true;
    require(avcodec_send_frame(codec_.get(), nullptr), "the encoder cannot end");
    write_packets();
    require(av_write_trailer(format_.get()), "the end cannot be written");
    avio_flush(file_.context());
    require(file_.context()->error, "the end cannot be written");
    output_.send(EndMessage{images});
  }

 private:
  void open_codec() {
    const bool global_header = (format_->oformat->flags & AVFMT_GLOBALHEADER) != 0;
    for (const std::string& name : request_.encoders) {
      codec_ = opened(name, request_, global_header);
      if (codec_ != nullptr) return;
    }
    throw std::runtime_error(fmt::format("FFmpeg on this machine has no encoder for {}x{} pixels: {}{}",
                                         request_.size.width, request_.size.height, fmt::join(request_.encoders, ", "),
                                         last_message()));
  }

  void open_stream() {
    stream_ = avformat_new_stream(format_.get(), nullptr);
    if (stream_ == nullptr) throw std::bad_alloc();
    stream_->time_base = rational_of(request_.time_base);
    stream_->avg_frame_rate = rational_of(request_.frame_rate);
    stream_->sample_aspect_ratio = codec_->sample_aspect_ratio;
    require(avcodec_parameters_from_context(stream_->codecpar, codec_.get()), "the codec does not fit the container");
    // So that a reader of the stream gets each image soon: Matroska collects images for this time [ms].
    if (request_.is_stream) av_opt_set(format_->priv_data, "cluster_time_limit", "100", 0);
    require(avformat_write_header(format_.get(), nullptr), "the beginning cannot be written");
  }

  void allocate_frame() {
    frame_->format = codec_->pix_fmt;
    frame_->width = codec_->width;
    frame_->height = codec_->height;
    frame_->color_range = codec_->color_range;
    frame_->colorspace = codec_->colorspace;
    require(av_frame_get_buffer(frame_.get(), 0), "no frame");
  }

  static ImageHead next_head() {
    ImageHead head;
    read(&head, sizeof head);
    if (head.mark != ImageHead().mark) throw std::runtime_error("an image does not begin with its mark");
    return head;
  }

  void take(const ImageHead& head) {
    require(av_frame_make_writable(frame_.get()), "no frame");
    for (int plane = 0; plane < 3; ++plane) {
      const int shift = plane == 0 ? 0 : 1;
      for (int y = 0; y < frame_->height >> shift; ++y) {
        read(frame_->data[plane] + y * frame_->linesize[plane], static_cast<std::size_t>(frame_->width >> shift));
      }
    }
    heads_.push_back(head);
    const std::int64_t wanted = av_rescale_q(head.ticks, rational_of(request_.time_base), codec_->time_base);
    encoder_ticks_ = std::max(wanted, encoder_ticks_ + 1);
    frame_->pts = encoder_ticks_;
    require(avcodec_send_frame(codec_.get(), frame_.get()), "the encoder refuses an image");
    write_packets();
  }

  void write_packets() {
    for (;;) {
      const int error = avcodec_receive_packet(codec_.get(), packet_.get());
      if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return;
      require(error, "the encoder fails");
      if (heads_.empty()) throw std::runtime_error("the encoder gives more packets than images");
      packet_->stream_index = stream_->index;
      packet_->pts = packet_->dts = heads_.front().ticks;
      packet_->duration = heads_.front().duration;
      heads_.pop_front();
      av_packet_rescale_ts(packet_.get(), rational_of(request_.time_base), stream_->time_base);
      require(av_write_frame(format_.get(), packet_.get()), "an image cannot be written");
      if (file_.context()->error < 0) fail("an image cannot be written", file_.context()->error);
      av_packet_unref(packet_.get());
      if (flushing_) output_.beat();  // before, the library reads no messages
    }
  }

  const EncodeRequest& request_;
  MessageOutput& output_;
  FileOutput file_;
  std::unique_ptr<AVFormatContext, FreeFormat> format_;
  CodecPointer codec_;
  AVStream* stream_ = nullptr;
  std::unique_ptr<AVFrame, FreeFrame> frame_;
  std::unique_ptr<AVPacket, FreePacket> packet_;
  std::deque<ImageHead> heads_;  // of images that are in the encoder
  std::int64_t encoder_ticks_ = -1;
  bool flushing_ = false;
};

}  // namespace

void encode(const EncodeRequest& request, MessageOutput& output) { Encoding(request, output).run(); }

}  // namespace octavo::video
