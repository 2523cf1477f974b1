#include "video/frames/decoder/leaps.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace octavo::video {
namespace {

bool is_mp4(const AVFormatContext& format) { return std::string_view(format.iformat->name).starts_with("mov,"); }
bool is_matroska(const AVFormatContext& format) {
  return std::string_view(format.iformat->name).starts_with("matroska,");
}

bool begins_anew_at_keys(AVCodecID codec) {
  switch (codec) {
    case AV_CODEC_ID_H264:  // of instant refresh: has_instant_refresh
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
      return true;
    default: {
      const AVCodecDescriptor* const descriptor = avcodec_descriptor_get(codec);
      return descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
    }
  }
}

// Whether a packet of H.264 in MP4 or Matroska has an image that no later one looks beyond. Its units have their
// length in front, in as many bytes as the avcC record says.
bool has_instant_refresh(const AVPacket& packet, const AVCodecParameters& parameters) {
  constexpr int instant_refresh = 5;
  if (parameters.extradata_size < 7 || parameters.extradata[0] != 1) return false;
  const std::size_t length_bytes = (parameters.extradata[4] & 3U) + 1;
  std::span<const std::uint8_t> rest(packet.data, static_cast<std::size_t>(packet.size));
  while (rest.size() > length_bytes) {
    std::size_t length = 0;
    for (const std::uint8_t byte : rest.first(length_bytes)) length = length << 8 | byte;
    rest = rest.subspan(length_bytes);
    if (length == 0 || length > rest.size()) return false;
    if ((rest[0] & 31) == instant_refresh) return true;
    rest = rest.subspan(length);
  }
  return false;
}

}  // namespace

Leaps::Leaps(Stream& stream, const AVFrame& first)
    : stream_(stream),
      are_possible_(stream.is_file() && (is_mp4(stream.format()) || is_matroska(stream.format())) &&
                    begins_anew_at_keys(stream.stream().codecpar->codec_id) && first.pts != AV_NOPTS_VALUE &&
                    first.best_effort_timestamp == first.pts) {}

void Leaps::leap(std::int64_t ticks, std::int64_t last) {
  // Containers look for the time of decoding, which comes before that of showing.
  const AVRational base = stream_.stream().time_base;
  const std::int64_t target = ticks - base.den / base.num;
  // The index of Matroska is known after the first leap.
  const bool is_index_known = has_leapt_ || !is_matroska(stream_.format());
  const AVIndexEntry* const entry =
      avformat_index_get_entry_from_timestamp(&stream_.stream(), target, AVSEEK_FLAG_BACKWARD);
  if (target <= last || (is_index_known && (entry == nullptr || entry->timestamp <= last))) return;
  const AVPacket* const packet = stream_.seek(target);
  has_leapt_ = true;
  if (packet == nullptr) throw NoLeap("its container cannot be read from a later time on");
  if ((packet->flags & AV_PKT_FLAG_KEY) == 0 || packet->pts == AV_NOPTS_VALUE || packet->pts > ticks) {
    throw NoLeap("its container does not lead to a key frame");
  }
  const AVCodecParameters& parameters = *stream_.stream().codecpar;
  if (parameters.codec_id == AV_CODEC_ID_H264 && !has_instant_refresh(*packet, parameters)) {
    throw NoLeap("its key frames need frames before them");
  }
  key_ = packet->pts;
  last_ = last;
  is_key_seen_ = false;
}

const AVFrame* Leaps::next() {
  for (;;) {
    const AVFrame* const frame = stream_.next();
    if (!has_leapt_) return frame;
    if (frame == nullptr) {
      if (!is_key_seen_) throw NoLeap("its key frame cannot be decoded");
      return nullptr;
    }
    if (frame->pts == AV_NOPTS_VALUE || frame->best_effort_timestamp != frame->pts) {
      throw NoLeap("a frame has no time");
    }
    if (!is_key_seen_) {
      if (frame->pts < key_) continue;  // shown before the key frame, but decoded after it
      const bool is_damaged = frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
      if (frame->pts != key_ || frame->key_frame == 0 || is_damaged) throw NoLeap("its key frame cannot be decoded");
      is_key_seen_ = true;
    }
    if (frame->pts > last_) return frame;
  }
}

}  // namespace octavo::video
