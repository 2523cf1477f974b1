#include "video/frames/decoder/image.h"

extern "C" {
#include <libavutil/common.h>
#include <libavutil/pixdesc.h>
}

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "video/frames/area_scale.h"
#include "video/frames/decoder/failure.h"
#include "video/frames/levels.h"

namespace octavo::video {
namespace {

const AVPixFmtDescriptor& format_of(const AVFrame& frame) {
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  constexpr std::uint64_t strange = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
  if (format == nullptr || (format->flags & strange) != 0 || std::string_view(format->name).starts_with("xyz")) {
    throw DecodeFailure(fmt::format("its frames have the format {}, of which Octavo takes no luma",
                                    format != nullptr ? format->name : "(unknown)"));
  }
  return *format;
}

bool is_rgb(const AVPixFmtDescriptor& format) {
  return (format.flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
}

bool is_chroma(const AVPixFmtDescriptor& format, int component) {
  return !is_rgb(format) && (component == 1 || component == 2) && format.nb_components >= 3;
}

// A component of a frame as bytes. They are the frame's own where it has them in this form.
struct Component {
  std::vector<std::uint8_t> owned;
  BytePlane plane;
};

// The bytes of red (0), green or blue of a palette's colour, which is a number ARGB.
std::uint8_t byte_of_palette(const AVFrame& frame, unsigned index, int component) {
  std::uint32_t colour = 0;
  std::memcpy(&colour, frame.data[1] + sizeof colour * index, sizeof colour);
  return static_cast<std::uint8_t>(colour >> (16 - 8 * component));
}

// The byte of each sample.
std::vector<std::uint8_t> bytes_of_samples(const AVFrame& frame, const AVPixFmtDescriptor& format, int component,
                                           const ImageForm& form) {
  const bool has_palette = (format.flags & AV_PIX_FMT_FLAG_PAL) != 0, is_limited = form.colours.is_limited;
  const int depth = format.comp[has_palette ? 0 : component].depth;
  std::vector<std::uint8_t> bytes(std::size_t{1} << depth);
  for (unsigned sample = 0; sample < bytes.size(); ++sample) {
    if (has_palette) {
      bytes[sample] = byte_of_palette(frame, sample, component);
    } else if (form.range && depth > 8) {
      bytes[sample] = is_chroma(format, component) ? chroma_in_range(sample, depth, *form.range, is_limited)
                                                   : byte_in_range(sample, *form.range, is_limited);
    } else {
      bytes[sample] = byte_of(frame.format == AV_PIX_FMT_MONOWHITE ? 1u - sample : sample, depth, is_limited);
    }
  }
  return bytes;
}

// Samples of any format, by FFmpeg's own reader. Calls `take(sample)` for each in the order of rows.
template <class Take>
void for_each_sample(const AVFrame& frame, const AVPixFmtDescriptor& format, int component, ImageSize size,
                     const Take& take) {
  std::vector<std::uint16_t> row(static_cast<std::size_t>(size.width));
  std::array<const std::uint8_t*, 4> data{frame.data[0], frame.data[1], frame.data[2], frame.data[3]};
  const int read_from = (format.flags & AV_PIX_FMT_FLAG_PAL) != 0 ? 0 : component;
  for (int y = 0; y < size.height; ++y) {
    av_read_image_line2(row.data(), data.data(), frame.linesize, &format, 0, y, read_from, size.width, 0,
                        sizeof(std::uint16_t));
    for (const std::uint16_t sample : row) take(sample);
  }
}

Component component_of(const AVFrame& frame, const AVPixFmtDescriptor& format, int component, const ImageForm& form) {
  const bool is_small = is_chroma(format, component);
  const int width = is_small ? AV_CEIL_RSHIFT(frame.width, format.log2_chroma_w) : frame.width;
  const int height = is_small ? AV_CEIL_RSHIFT(frame.height, format.log2_chroma_h) : frame.height;
  const AVComponentDescriptor& layout = format.comp[component];
  constexpr std::uint64_t packed = AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL;
  if ((format.flags & packed) == 0 && layout.depth == 8 && layout.step == 1 && layout.shift == 0) {
    return {{}, {frame.data[layout.plane] + layout.offset, frame.linesize[layout.plane], width, height}};
  }
  const std::vector<std::uint8_t> bytes = bytes_of_samples(frame, format, component, form);
  Component made;
  made.owned.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for_each_sample(frame, format, component, {width, height},
                  [&](std::uint16_t sample) { made.owned.push_back(bytes[sample]); });
  made.plane = {made.owned.data(), width, width, height};
  return made;
}

// The lines of the field that comes first.
BytePlane first_field(const BytePlane& plane, bool top_first) {
  if (plane.height < 2) return plane;
  const int first = top_first ? 0 : 1;
  return {plane.data + first * plane.stride, 2 * plane.stride, plane.width, (plane.height + 1 - first) / 2};
}

BytePlane lines_of(const BytePlane& plane, const AVFrame& frame, const ImageForm& form) {
  return form.one_field && frame.interlaced_frame != 0 ? first_field(plane, frame.top_field_first != 0) : plane;
}

// The luma of RGB, in the place of its red.
Component luma_of_rgb(const AVFrame& frame, const AVPixFmtDescriptor& format, const ImageForm& form) {
  std::array<Component, 3> rgb;
  for (int c = 0; c < 3; ++c) rgb[static_cast<std::size_t>(c)] = component_of(frame, format, c, form);
  const int width = frame.width, height = frame.height;
  Component luma{std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)), {}};
  luma.plane = {luma.owned.data(), width, width, height};
  std::uint8_t* out = luma.owned.data();
  for (int y = 0; y < height; ++y) {
    const auto row = [&](std::size_t c) { return rgb[c].plane.data + y * rgb[c].plane.stride; };
    const std::uint8_t *red = row(0), *green = row(1), *blue = row(2);
    for (int x = 0; x < width; ++x) *out++ = luma_of(red[x], green[x], blue[x]);
  }
  return luma;
}

Component stretched(const Component& stored) {
  const BytePlane& from = stored.plane;
  Component made{
      std::vector<std::uint8_t>(static_cast<std::size_t>(from.width) * static_cast<std::size_t>(from.height)), {}};
  made.plane = {made.owned.data(), from.width, from.width, from.height};
  const std::array<std::uint8_t, 256>& table = stretched_luma();
  std::uint8_t* out = made.owned.data();
  for (int y = 0; y < from.height; ++y) {
    const std::uint8_t* const row = from.data + y * from.stride;
    for (int x = 0; x < from.width; ++x) *out++ = table[row[x]];
  }
  return made;
}

std::vector<std::uint8_t> scaled(const Component& component, const AVFrame& frame, const ImageForm& form) {
  return scale_area(lines_of(component.plane, frame, form), form.size);
}

}  // namespace

int depth_of_samples(const AVFrame& frame) { return format_of(frame).comp[0].depth; }

bool has_open_range(const AVFrame& frame) {
  const AVPixFmtDescriptor& format = format_of(frame);
  return format.comp[0].depth > 8 && (is_rgb(format) || format.nb_components < 3) && !colours_of(frame).is_limited;
}

Image stored_samples(const AVFrame& frame) {
  const AVPixFmtDescriptor& format = format_of(frame);
  const int channels = is_rgb(format) ? 3 : 1;
  Image image(frame.width, frame.height, channels, PixelType::u16);
  for (int c = 0; c < channels; ++c) {
    auto* place = reinterpret_cast<std::uint16_t*>(image.row(0)) + c;
    for_each_sample(frame, format, c, {frame.width, frame.height}, [&](std::uint16_t sample) {
      *place = sample;
      place += channels;
    });
  }
  return image;
}

Image grey_image(const AVFrame& frame, const ImageForm& form) {
  const AVPixFmtDescriptor& format = format_of(frame);
  const bool is_limited = form.colours.is_limited;
  Component luma = is_rgb(format) ? luma_of_rgb(frame, format, form) : component_of(frame, format, 0, form);
  if (is_limited && form.stretch_luma) luma = stretched(luma);
  const std::vector<std::uint8_t> bytes = scaled(luma, frame, form);
  Image grey(form.size.width, form.size.height, 1, PixelType::u8);
  std::memcpy(grey.row(0), bytes.data(), bytes.size());
  return form.orientation == Orientation{} ? std::move(grey) : shown(grey, form.orientation);
}

Image colour_image(const AVFrame& frame, const ImageForm& form) {
  const AVPixFmtDescriptor& format = format_of(frame);
  const bool is_limited = form.colours.is_limited, has_colour = is_rgb(format) || format.nb_components >= 3;
  std::array<std::vector<std::uint8_t>, 3> parts;
  for (std::size_t c = 0; c < (has_colour ? 3 : 1); ++c) {
    parts[c] = scaled(component_of(frame, format, static_cast<int>(c), form), frame, form);
  }
  const ColourMatrix matrix = colour_matrix(form.colours.matrix, is_limited);
  Image colour(form.size.width, form.size.height, 3, PixelType::u8);
  auto* out = reinterpret_cast<std::uint8_t*>(colour.row(0));
  for (std::size_t i = 0; i < parts[0].size(); ++i, out += 3) {
    if (is_rgb(format)) {
      for (std::size_t c = 0; c < 3; ++c) out[c] = parts[c][i];
    } else {
      matrix.convert(parts[0][i], has_colour ? parts[1][i] : 128, has_colour ? parts[2][i] : 128, out);
    }
  }
  return form.orientation == Orientation{} ? std::move(colour) : shown(colour, form.orientation);
}

}  // namespace octavo::video
