#include "video/frames/decoder/facts.h"

extern "C" {
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <cstring>
#include <vector>

#include "video/frames/shown_size.h"

namespace octavo::video {
namespace {

Ratio ratio_of(AVRational rational) {
  return rational.num < 0 || rational.den <= 0 ? Ratio{0, 1} : Ratio{rational.num, rational.den};
}

std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

// The display matrix as nine numbers; null if there is none.
const std::uint8_t* matrix_of(const Stream& stream, const AVFrame& frame) {
  constexpr std::size_t needed = 9 * sizeof(std::int32_t);
  std::size_t bytes = 0;
  const std::uint8_t* const data = av_stream_get_side_data(&stream.stream(), AV_PKT_DATA_DISPLAYMATRIX, &bytes);
  if (data != nullptr && bytes >= needed) return data;
  const AVFrameSideData* const side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
  return side != nullptr && side->size >= needed ? side->data : nullptr;
}

// What the container says: of the stream, of the file, or of a track that holds time codes alone.
std::string time_code_of(const Stream& stream) {
  const AVFormatContext& format = stream.format();
  std::vector<const AVDictionary*> places{stream.stream().metadata, format.metadata};
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    if (format.streams[i]->codecpar->codec_type == AVMEDIA_TYPE_DATA) places.push_back(format.streams[i]->metadata);
  }
  for (const AVDictionary* const place : places) {
    if (const AVDictionaryEntry* const entry = av_dict_get(place, "timecode", nullptr, 0)) return entry->value;
  }
  return {};
}

}  // namespace

FrameColours colours_of(const AVFrame& frame) {
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (format == nullptr) return {"bt709", true, true};
  if ((format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0) return {"gbr", false, false};
  const bool is_grey = format->nb_components < 3;
  const bool is_full = frame.color_range == AVCOL_RANGE_JPEG || std::strncmp(format->name, "yuvj", 4) == 0 ||
                       (is_grey && frame.color_range != AVCOL_RANGE_MPEG);
  const bool is_assumed = frame.colorspace == AVCOL_SPC_UNSPECIFIED || frame.colorspace == AVCOL_SPC_RGB ||
                          frame.colorspace == AVCOL_SPC_RESERVED;
  const bool is_large = frame.width >= 1280 || frame.height > 576;  // as players guess
  const std::string matrix =
      is_assumed ? (is_large ? "bt709" : "smpte170m") : text_or_empty(av_color_space_name(frame.colorspace));
  return {matrix, is_assumed, !is_full};
}

Ratio pixel_aspect_of(const Stream& stream, const AVFrame& frame) {
  AVFrame copy = frame;  // the function takes no constant frame, and changes none
  const Ratio found = ratio_of(av_guess_sample_aspect_ratio(&stream.format(), &stream.stream(), &copy));
  return found.numerator == 0 ? Ratio{1, 1} : found;
}

FrameTurn turn_of(const Stream& stream, const AVFrame& frame) {
  const std::uint8_t* const data = matrix_of(stream, frame);
  if (data == nullptr) return {};
  std::array<std::int32_t, 9> m{};
  std::memcpy(m.data(), data, sizeof m);
  const double a = m[0], b = m[1], c = m[3], d = m[4];
  if (a == 0 && b == 0 && c == 0 && d == 0) return {.orientation = {}, .is_exact = false};
  return {orientation_of(a, b, c, d), is_quarter_turn(a, b, c, d)};
}

VideoFacts facts_of(const Stream& stream, const AVFrame& first) {
  const AVStream& s = stream.stream();
  const FrameColours colours = colours_of(first);
  const FrameTurn turn = turn_of(stream, first);
  VideoFacts facts;
  facts.container = text_or_empty(stream.format().iformat->name);
  facts.codec = stream.codec_name();
  facts.decoder = stream.decoder_name();
  facts.pixel_format = text_or_empty(av_get_pix_fmt_name(static_cast<AVPixelFormat>(first.format)));
  facts.width = first.width;
  facts.height = first.height;
  const Ratio aspect = pixel_aspect_of(stream, first);
  facts.pixel_aspect = is_credible(aspect) ? aspect : Ratio{1, 1};
  facts.rotation = turn.orientation.rotation;
  facts.mirrored = turn.orientation.mirrored;
  facts.matrix = colours.matrix;
  facts.matrix_assumed = colours.is_assumed;
  facts.limited_range = colours.is_limited;
  facts.time_base = ratio_of(s.time_base);
  if (facts.time_base.numerator == 0) facts.time_base = {1, 1000};
  if (s.start_time != AV_NOPTS_VALUE) facts.start = s.start_time;
  facts.frame_rate = ratio_of(s.avg_frame_rate.num > 0 ? s.avg_frame_rate : s.r_frame_rate);
  facts.time_code = time_code_of(stream);
  facts.declared_frames = std::max<std::int64_t>(s.nb_frames, 0);
  // A length that FFmpeg estimates from the bit rate is no statement of the file.
  if (s.duration > 0 && stream.format().duration_estimation_method != AVFMT_DURATION_FROM_BITRATE) {
    facts.declared_seconds = static_cast<double>(s.duration) * av_q2d(s.time_base);
  } else if (stream.format().duration > 0 &&
             stream.format().duration_estimation_method != AVFMT_DURATION_FROM_BITRATE) {
    facts.declared_seconds = static_cast<double>(stream.format().duration) / AV_TIME_BASE;
  }
  // FFmpeg shortens the length of an AVI that is cut off. The header counts a tick for each frame.
  if (facts.container == "avi") {
    facts.declared_seconds =
        std::max(facts.declared_seconds, static_cast<double>(facts.declared_frames) * av_q2d(s.time_base));
  }
  return facts;
}

}  // namespace octavo::video
