#include "video/frames/decoder/packet_stream.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "video/frames/decoder/failure.h"
#include "video/frames/decoder/image.h"

namespace octavo::video {
namespace {

// A codec that NVDEC knows, and FFmpeg's filter that gives its byte stream.
struct Codec {
  AVCodecID id;
  bool is_exact;
  const char* filter;
};
constexpr std::array<Codec, 7> codecs{{{AV_CODEC_ID_H264, true, "h264_mp4toannexb"},
                                       {AV_CODEC_ID_HEVC, true, "hevc_mp4toannexb"},
                                       {AV_CODEC_ID_VP9, true, "null"},
                                       {AV_CODEC_ID_AV1, true, "null"},
                                       {AV_CODEC_ID_MPEG1VIDEO, false, "null"},
                                       {AV_CODEC_ID_MPEG2VIDEO, false, "null"},
                                       {AV_CODEC_ID_MPEG4, false, "mpeg4_unpack_bframes"}}};

const Codec* codec_of(const AVStream& stream) {
  const auto* const found = std::find_if(codecs.begin(), codecs.end(),
                                         [&](const Codec& codec) { return codec.id == stream.codecpar->codec_id; });
  return found == codecs.end() ? nullptr : found;
}

// The bits of a sample if the format is progressive 4:2:0 as NVDEC gives it; 0 for another one.
int depth_of(AVPixelFormat format) {
  switch (format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P:
      return 8;
    case AV_PIX_FMT_YUV420P10LE:
      return 10;
    case AV_PIX_FMT_YUV420P12LE:
      return 12;
    default:
      return 0;
  }
}

// Whether an Annex B packet of H.264 or HEVC has an image before which nothing is needed. Decoders differ in what they
// show of a stream that begins elsewhere.
bool has_instant_refresh(std::span<const std::uint8_t> bytes, AVCodecID codec) {
  for (std::size_t i = 0; i + 3 < bytes.size(); ++i) {
    if (bytes[i] != 0 || bytes[i + 1] != 0 || bytes[i + 2] != 1) continue;
    const int kind = codec == AV_CODEC_ID_H264 ? bytes[i + 3] & 31 : bytes[i + 3] >> 1 & 63;
    if (codec == AV_CODEC_ID_H264 ? kind == 5 : kind == 19 || kind == 20) return true;
  }
  return false;
}

bool changes_format(const AVPacket& packet) {
  const auto has = [&](AVPacketSideDataType type) {
    return av_packet_get_side_data(&packet, type, nullptr) != nullptr;
  };
  return has(AV_PKT_DATA_NEW_EXTRADATA) || has(AV_PKT_DATA_PARAM_CHANGE);
}

// Whether decoding can begin with the packet.
bool needs_no_other(int flags, std::span<const std::uint8_t> bytes, AVCodecID codec) {
  if ((flags & AV_PKT_FLAG_KEY) == 0) return false;
  return (codec != AV_CODEC_ID_H264 && codec != AV_CODEC_ID_HEVC) || has_instant_refresh(bytes, codec);
}

}  // namespace

PacketStream::PacketStream(Stream& stream, const AVFrame& first, const Request& request)
    : stream_(stream), packet_(av_packet_alloc()) {
  if (packet_ == nullptr) throw std::bad_alloc();
  look_at(first, request);
  if (objection_.empty()) open_filter();
}

void PacketStream::look_at(const AVFrame& first, const Request& request) {
  const Codec* const codec = codec_of(stream_.stream());
  depth_ = depth_of(static_cast<AVPixelFormat>(first.format));
  if (codec == nullptr) {
    objection_ = fmt::format("it knows no {}", stream_.codec_name());
  } else if (!codec->is_exact && request.packets != Packets::of_any_codec) {
    objection_ = fmt::format("decoders of {} differ", stream_.codec_name());
  } else {
    objection_ = objection_to(request.options);
    if (objection_.empty()) objection_ = objection_to(first);
  }
}

std::string PacketStream::objection_to(const VideoOptions& options) const {
  if (options.fast) return "fast decoded frames come from the CPU";
  if (options.colour) return "coloured frames come from the CPU";
  if (options.live) return "live frames come from the CPU";
  if (depth_ > 8 && options.black < options.white) return "`black` and `white` are given";
  return stream_.is_file() ? "" : "a pipe can be read once only";
}

std::string PacketStream::objection_to(const AVFrame& first) const {
  if (depth_ == 0) {
    const char* const name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(first.format));
    return fmt::format("its frames have the format {}", name != nullptr ? name : "unknown");
  }
  if (first.interlaced_frame != 0) return "its frames are interlaced";
  if (first.width % 2 != 0 || first.height % 2 != 0) return "its frames have an odd side";
  const bool is_damaged = first.decode_error_flags != 0 || (first.flags & AV_FRAME_FLAG_CORRUPT) != 0;
  return is_damaged || stream_.damaged_packets() > 0 ? "it begins with damaged parts" : "";
}

void PacketStream::open_filter() {
  const AVStream& stream = stream_.stream();
  AVBSFContext* filter = nullptr;
  const char* const name = codec_of(stream)->filter;
  const AVBitStreamFilter* const kind = av_bsf_get_by_name(name);
  if (kind == nullptr) {
    objection_ = fmt::format("FFmpeg was built without the filter {}", name);
    return;
  }
  if (av_bsf_alloc(kind, &filter) < 0) throw std::bad_alloc();
  filter_.reset(filter);
  filter->time_base_in = stream.time_base;
  int error = avcodec_parameters_copy(filter->par_in, stream.codecpar);
  if (error >= 0) error = av_bsf_init(filter);
  if (error < 0) {
    objection_ = fmt::format("its packets cannot be written as a byte stream: {}", text_of_error(error));
    return;
  }
  if (header().size() > most_header_bytes) objection_ = "its header is too long";
}

std::vector<std::byte> PacketStream::header() const {
  const AVCodecParameters& parameters = *filter_->par_out;
  std::span<const std::uint8_t> bytes(parameters.extradata, static_cast<std::size_t>(parameters.extradata_size));
  // An AV1CodecConfigurationRecord begins with a marker bit and has four bytes before the sequence header.
  if (parameters.codec_id == AV_CODEC_ID_AV1 && bytes.size() > 4 && (bytes[0] & 0x80) != 0) bytes = bytes.subspan(4);
  if (parameters.codec_id == AV_CODEC_ID_VP9) bytes = {};
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

// An objection to a packet in the middle sends the reader back to the CPU.
void PacketStream::check(const AVPacket& packet) {
  const AVCodecID codec = stream_.stream().codecpar->codec_id;
  const std::span<const std::uint8_t> bytes(packet.data, static_cast<std::size_t>(packet.size));
  if (packet.pts == AV_NOPTS_VALUE) {
    objection_ = "a frame has no time";
  } else if (packet.pts < -most_ticks || packet.pts > most_ticks || packet.duration > most_ticks) {
    objection_ = "a time is out of range";
  } else if ((packet.flags & AV_PKT_FLAG_DISCARD) != 0) {
    objection_ = "its list of edits leaves out frames";
  } else if ((packet.flags & AV_PKT_FLAG_CORRUPT) != 0) {
    objection_ = "a packet is damaged";
  } else if (!is_first_ && changes_format(packet)) {
    objection_ = "its format changes";
  } else if (bytes.empty() || bytes.size() > most_packet_bytes) {
    objection_ = "a packet is empty or too large";
  } else if (is_first_ && !needs_no_other(packet.flags, bytes, codec)) {
    objection_ = "it does not begin with a frame that needs no other";
  }
  is_first_ = false;
}

std::optional<PacketMessage> PacketStream::filtered() {
  const int error = av_bsf_receive_packet(filter_.get(), packet_.get());
  if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return std::nullopt;
  if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
  if (error < 0) {
    objection_ = fmt::format("a packet is damaged: {}", text_of_error(error));
    return std::nullopt;
  }
  check(*packet_);
  std::optional<PacketMessage> message;
  if (objection_.empty()) {
    const auto* const begin = reinterpret_cast<const std::byte*>(packet_->data);
    message = PacketMessage{packet_->pts,
                            std::max<std::int64_t>(packet_->duration, 0),
                            (packet_->flags & AV_PKT_FLAG_KEY) != 0,
                            {begin, begin + packet_->size}};
  }
  av_packet_unref(packet_.get());
  return message;
}

std::optional<PacketMessage> PacketStream::next() {
  while (objection_.empty()) {
    if (std::optional<PacketMessage> message = filtered()) return message;
    if (!objection_.empty() || is_flushed_) break;
    AVPacket* const packet = stream_.next_packet();
    is_flushed_ = packet == nullptr;
    const int error = av_bsf_send_packet(filter_.get(), packet);  // takes what the packet refers to
    if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
    if (error < 0) objection_ = fmt::format("a packet is damaged: {}", text_of_error(error));
  }
  return std::nullopt;
}

}  // namespace octavo::video
