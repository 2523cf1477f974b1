#include "video/frames/decoder/stream.h"

extern "C" {
#include <libavutil/dict.h>
}

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <string_view>
#include <tuple>
#include <vector>

#include "video/frames/decoder/capture_device.h"
#include "video/frames/decoder/failure.h"

namespace octavo::video {
namespace {

int refuse_to_open(AVFormatContext* /*format*/, AVIOContext** /*context*/, const char* /*url*/, int /*flags*/,
                   AVDictionary** /*options*/) {
  return AVERROR(EPERM);
}

bool is_cover(const AVStream& stream) {
  return (stream.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0;
}

// "audio (aac), cover image (mjpeg)"
std::string list_of_streams(const AVFormatContext& format) {
  std::string list;
  for (unsigned i = 0; i < format.nb_streams && i < 8; ++i) {
    const AVStream& stream = *format.streams[i];
    const char* const type = av_get_media_type_string(stream.codecpar->codec_type);
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ",
                        is_cover(stream)  ? "cover image"
                        : type != nullptr ? type
                                          : "unknown data",
                        avcodec_get_name(stream.codecpar->codec_id));
  }
  return list;
}

// Throws DecodeFailure if the frames of a stream are too large.
void require_allowed_size(const AVStream& stream, std::uint64_t max_pixels) {
  const AVCodecParameters& parameters = *stream.codecpar;
  if (parameters.codec_type != AVMEDIA_TYPE_VIDEO || is_cover(stream)) return;
  if (static_cast<std::uint64_t>(parameters.width) * static_cast<std::uint64_t>(parameters.height) <= max_pixels)
    return;
  throw DecodeFailure(fmt::format("its frames have {}x{} pixels, more than the {} that are allowed", parameters.width,
                                  parameters.height, max_pixels));
}

}  // namespace

Stream::Stream(MessageOutput& output, const VideoOptions& options, bool keeps_packets)
    : output_(output),
      max_pixels_(options.max_pixels),
      fast_(options.fast),
      is_device_(is_capture_device()),
      is_live_(options.live || is_device_),
      keeps_packets_(keeps_packets),
      input_(output),
      packet_(av_packet_alloc()),
      frame_(av_frame_alloc()) {
  if (packet_ == nullptr || frame_ == nullptr) throw std::bad_alloc();
  open();
  choose_stream();
  open_codec();
}

std::string Stream::decoder_name() const {
  const unsigned version = avcodec_version();
  return fmt::format("{} (libavcodec {}.{}.{})", codec_->codec->name, AV_VERSION_MAJOR(version),
                     AV_VERSION_MINOR(version), AV_VERSION_MICRO(version));
}

std::string Stream::hint() const {
  return input_.is_file() || is_device_
             ? ""
             : " (an MP4 or MOV in a pipe must begin with its index: ffmpeg's -movflags faststart)";
}

void Stream::open() {
  AVFormatContext* format = avformat_alloc_context();
  if (format == nullptr) throw std::bad_alloc();
  format->io_open = refuse_to_open;
  if (!is_device_) {
    format->pb = input_.context();
    format->flags |= AVFMT_FLAG_CUSTOM_IO;
  }
  if (is_live_) {
    format->max_analyze_duration = AV_TIME_BASE / 10;
    format->fps_probe_size = 0;
  }
  const int error = avformat_open_input(&format, is_device_ ? capture_name : nullptr,
                                        is_device_ ? capture_format() : nullptr, nullptr);  // frees it if it fails
  if (error < 0) {
    const bool is_unknown = error == AVERROR_INVALIDDATA && last_message().empty();
    throw DecodeFailure((is_unknown ? "it is of no known video format"
                                    : fmt::format("it cannot be opened: {}{}", text_of_error(error), last_message())) +
                        hint());
  }
  format_.reset(format);
  // FFmpeg shows text files as films of a terminal.
  if (std::string_view(format->iformat->name) == "tty") throw DecodeFailure("it is of no known video format");

  // The size that the container tells, before FFmpeg tries to decode frames.
  for (unsigned i = 0; i < format->nb_streams; ++i) require_allowed_size(*format->streams[i], max_pixels_);
  std::vector<AVDictionary*> options(format->nb_streams, nullptr);
  const unsigned count = format->nb_streams;
  const std::string most = std::to_string(max_pixels_);
  for (AVDictionary*& one : options) av_dict_set(&one, "max_pixels", most.c_str(), 0);
  const int found = avformat_find_stream_info(format, count > 0 ? options.data() : nullptr);
  for (AVDictionary*& one : options) av_dict_free(&one);
  if (found < 0)
    throw DecodeFailure(fmt::format("its streams are damaged: {}{}", text_of_error(found), last_message()));
}

void Stream::choose_stream() {
  // The default stream, then the largest, then the first.
  const auto rank = [](const AVStream& stream) {
    const AVCodecParameters& parameters = *stream.codecpar;
    return std::tuple(avcodec_find_decoder(parameters.codec_id) != nullptr,
                      (stream.disposition & AV_DISPOSITION_DEFAULT) != 0,
                      std::int64_t{parameters.width} * parameters.height);
  };
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    AVStream& stream = *format_->streams[i];
    if (stream.codecpar->codec_type != AVMEDIA_TYPE_VIDEO || is_cover(stream)) continue;
    if (stream_ == nullptr || rank(stream) > rank(*stream_)) stream_ = &stream;
  }
  if (stream_ == nullptr) {
    const std::string list = list_of_streams(*format_);
    throw DecodeFailure("it holds no video" + (list.empty() ? "" : ", only " + list));
  }
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    if (format_->streams[i] != stream_) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  require_allowed_size(*stream_, max_pixels_);
}

void Stream::open_codec() {
  const AVCodec* const decoder = avcodec_find_decoder(stream_->codecpar->codec_id);
  if (decoder == nullptr) throw DecodeFailure(fmt::format("FFmpeg has no decoder for {}", codec_name()));
  codec_.reset(avcodec_alloc_context3(decoder));
  if (codec_ == nullptr) throw std::bad_alloc();
  int error = avcodec_parameters_to_context(codec_.get(), stream_->codecpar);
  codec_->pkt_timebase = stream_->time_base;
  codec_->thread_count = 1;
  codec_->flags |= AV_CODEC_FLAG_BITEXACT;
  codec_->idct_algo = FF_IDCT_SIMPLE;
  codec_->max_pixels = static_cast<std::int64_t>(max_pixels_);
  if (fast_) {
    codec_->skip_loop_filter = AVDISCARD_ALL;
    codec_->skip_frame = AVDISCARD_NONREF;
  }
  if (error >= 0) error = avcodec_open2(codec_.get(), decoder, nullptr);
  if (error < 0) {
    throw DecodeFailure(
        fmt::format("the decoder of {} refuses it: {}{}", codec_name(), text_of_error(error), last_message()));
  }
}

// Reads the next packet of the stream into packet_. False at the end.
bool Stream::read_packet() {
  for (;;) {
    const int error = av_read_frame(format_.get(), packet_.get());
    if (error == AVERROR(EAGAIN)) {
      usleep(10'000);
      continue;
    }
    if (error < 0) {
      if (error != AVERROR_EOF) stop_reason_ = text_of_error(error) + last_message();
      if (error == AVERROR_EOF && input_.context()->error < 0) stop_reason_ = text_of_error(input_.context()->error);
      return false;
    }
    output_.beat();
    if (packet_->stream_index == stream_->index) return true;
    av_packet_unref(packet_.get());
  }
}

// Passes the next packet to the decoder, or tells it that there is none.
void Stream::feed() {
  if (!has_packet_ && !read_packet()) {
    avcodec_send_packet(codec_.get(), nullptr);
    return;
  }
  has_packet_ = false;
  if (keeps_packets_) {
    kept_.emplace_back(av_packet_clone(packet_.get()));
    if (kept_.back() == nullptr) throw std::bad_alloc();
  }
  const int sent = avcodec_send_packet(codec_.get(), packet_.get());
  av_packet_unref(packet_.get());
  if (sent == AVERROR(ENOMEM)) throw std::bad_alloc();
  if (sent < 0) ++damaged_packets_;
}

const AVPacket* Stream::seek(std::int64_t ticks) {
  av_packet_unref(packet_.get());
  avcodec_flush_buffers(codec_.get());
  has_packet_ = av_seek_frame(format_.get(), stream_->index, ticks, AVSEEK_FLAG_BACKWARD) >= 0 && read_packet();
  return has_packet_ ? packet_.get() : nullptr;
}

AVPacket* Stream::next_packet() {
  av_packet_unref(packet_.get());
  if (kept_.empty()) return read_packet() ? packet_.get() : nullptr;
  av_packet_move_ref(packet_.get(), kept_.front().get());
  kept_.pop_front();
  return packet_.get();
}

void Stream::drop_packets() {
  keeps_packets_ = false;
  kept_.clear();
}

const AVFrame* Stream::next() {
  for (;;) {
    const int error = avcodec_receive_frame(codec_.get(), frame_.get());
    if (error >= 0) return frame_.get();
    if (error == AVERROR_EOF) return nullptr;
    if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
    if (error != AVERROR(EAGAIN)) ++damaged_packets_;
    feed();
  }
}

}  // namespace octavo::video
