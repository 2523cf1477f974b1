// An image file is read as all commands read them, and scaled as frames are.

#include "video/frames/image_reader.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "io/files/read_bytes.h"
#include "io/images/mask.h"
#include "octavo/io/image_files.h"
#include "video/frames/area_scale.h"
#include "video/frames/levels.h"
#include "video/frames/shown_size.h"

namespace octavo::video {
namespace {

using Plane = std::vector<std::uint8_t>;

std::uint8_t byte_of_sample(const std::byte* sample, PixelType type) {
  if (type == PixelType::u8) return std::to_integer<std::uint8_t>(*sample);
  if (type == PixelType::u16) {
    std::uint16_t value = 0;
    std::memcpy(&value, sample, sizeof value);
    return byte_of(value, 16, false);
  }
  float value = 0;
  std::memcpy(&value, sample, sizeof value);
  return static_cast<std::uint8_t>(std::lround(255 * value));
}

// A colour, or the grey, as bytes, 0 where the image is hidden.
Plane plane_of(const Image& image, int channel, const Image* shown) {
  const std::size_t sample = image.type() == PixelType::u8 ? 1 : image.type() == PixelType::u16 ? 2 : 4;
  const std::size_t pixel = sample * static_cast<std::size_t>(image.channels());
  Plane plane;
  plane.reserve(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
  for (int y = 0; y < image.height(); ++y) {
    const std::byte* at = image.row(y) + sample * static_cast<std::size_t>(channel);
    for (int x = 0; x < image.width(); ++x, at += pixel) {
      const bool is_hidden = shown != nullptr && shown->row(y)[x] == std::byte{0};
      plane.push_back(is_hidden ? std::uint8_t{0} : byte_of_sample(at, image.type()));
    }
  }
  return plane;
}

std::array<Plane, 3> colours_of(const Image& image) {
  const std::shared_ptr<const Image> shown = mask_of_alpha(image.view());
  const bool is_grey = image.channels() < 3;
  std::array<Plane, 3> colours;
  for (int c = 0; c < 3; ++c) {
    colours[static_cast<std::size_t>(c)] = is_grey && c > 0 ? colours.front() : plane_of(image, c, shown.get());
  }
  return colours;
}

Plane luma_of_colours(const std::array<Plane, 3>& colours) {
  Plane luma(colours.front().size());
  for (std::size_t i = 0; i < luma.size(); ++i) luma[i] = luma_of(colours[0][i], colours[1][i], colours[2][i]);
  return luma;
}

// The planes of an image of this size side by side, scaled.
Image scaled(std::span<const Plane> planes, ImageSize from, ImageSize to) {
  Image image(to.width, to.height, static_cast<int>(planes.size()), PixelType::u8);
  for (std::size_t c = 0; c < planes.size(); ++c) {
    const Plane bytes = scale_area({planes[c].data(), from.width, from.width, from.height}, to);
    for (std::size_t i = 0; i < bytes.size(); ++i) image.row(0)[i * planes.size() + c] = std::byte{bytes[i]};
  }
  return image;
}

Image read_file(const std::filesystem::path& file, const VideoOptions& options) {
  Image image = read_image(
      file, {.max_pixels = options.max_pixels, .range = options.range, .black = options.black, .white = options.white});
  constexpr int most = 65535;  // of scale_area
  if (image.width() > most || image.height() > most) io::refuse(file.string(), "a side has more than 65535 pixels");
  return image;
}

}  // namespace

ImageReader::ImageReader(const std::filesystem::path& file, std::string_view format, const VideoOptions& options) {
  const Image image = read_file(file, options);
  const ImageSize stored{image.width(), image.height()}, size = shown_size(stored, {1, 1}, options.size);
  facts_.container = image_container;
  facts_.codec = format;
  facts_.decoder = std::string(format) + " (Octavo)";
  facts_.width = stored.width;
  facts_.height = stored.height;
  facts_.declared_frames = 1;
  const std::array<Plane, 3> colours = colours_of(image);
  const Plane luma = luma_of_colours(colours);
  VideoFrame frame;
  frame.grey = scaled({&luma, 1}, stored, size);
  frame.stored_width = stored.width;
  frame.stored_height = stored.height;
  frame.key = true;
  if (options.colour) frame.colour = scaled(colours, stored, size);
  frame_ = std::move(frame);
}

std::optional<VideoFrame> ImageReader::next() { return std::exchange(frame_, std::nullopt); }

}  // namespace octavo::video
