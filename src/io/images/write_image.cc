// The ending of the file name chooses the format. The pixels are first reduced to the types of the format, in the same
// way for all formats.

#include <algorithm>
#include <array>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "io/images/encoders.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"

namespace octavo {
namespace {

using io::EncodeError;

struct Format {
  std::string_view ending;
  PixelType deepest;  ///< the widest samples of the format
  bool grey, colour, alpha;
  std::vector<std::byte> (*encode)(const ImageView& image, const ImageMetadata& metadata);
};

std::vector<std::byte> encode_fine_jpeg(const ImageView& image, const ImageMetadata& metadata) {
  constexpr int quality = 95;
  return io::encode_jpeg(image, quality, metadata);
}

template <std::vector<std::byte> (*encode)(const ImageView& image)>
std::vector<std::byte> without_metadata(const ImageView& image, const ImageMetadata&) {
  return encode(image);
}

constexpr std::array<Format, 8> formats{{
    {".png", PixelType::u16, true, true, true, io::encode_png},
    {".jpg", PixelType::u8, true, true, false, encode_fine_jpeg},
    {".jpeg", PixelType::u8, true, true, false, encode_fine_jpeg},
    {".tif", PixelType::f32, true, true, true, io::encode_tiff},
    {".tiff", PixelType::f32, true, true, true, io::encode_tiff},
    {".webp", PixelType::u8, false, true, true, without_metadata<io::encode_webp>},
    {".pgm", PixelType::u16, true, false, false, without_metadata<io::encode_pnm>},
    {".ppm", PixelType::u16, false, true, false, without_metadata<io::encode_pnm>},
}};

[[noreturn]] void refuse_image(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot write '" + name + "': " + why);
}

const Format& format_of(const std::string& name) {
  const std::string ending = io::ending_of(name);
  const auto* const found =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.ending == ending; });
  if (found == formats.end()) {
    refuse_image(name,
                 "the name's ending '" + ending + "' is none of .png, .jpg, .jpeg, .tif, .tiff, .webp, .pgm, .ppm");
  }
  return *found;
}

cv::Mat with_depth(const cv::Mat& matrix, PixelType from, PixelType deepest) {
  const PixelType to = std::min(from, deepest);
  if (to == from) return matrix;
  const double full_from = from == PixelType::f32 ? 1 : 65535;
  const double full_to = to == PixelType::u16 ? 65535 : 255;
  cv::Mat reduced;
  matrix.convertTo(reduced, to == PixelType::u16 ? CV_16U : CV_8U, full_to / full_from);
  return reduced;
}

/// Grey, or red, green, blue and optional alpha.
cv::Mat with_channels(const cv::Mat& matrix, const Format& format) {
  const int channels = matrix.channels();
  const bool is_grey = channels <= 2;
  const bool has_alpha = channels % 2 == 0 && format.alpha;
  const int wanted = is_grey && !has_alpha && format.grey ? 1 : has_alpha ? 4 : 3;
  if (wanted == channels) return matrix;
  // Pairs of a channel and the place where it goes.
  constexpr std::array from_grey{0, 0, 0, 1, 0, 2, 1, 3}, from_colour{0, 0, 1, 1, 2, 2, 3, 3};
  cv::Mat changed(matrix.size(), CV_MAKETYPE(matrix.depth(), wanted));
  cv::mixChannels(&matrix, 1, &changed, 1, (is_grey ? from_grey : from_colour).data(),
                  static_cast<std::size_t>(wanted));
  return changed;
}

std::vector<std::byte> encode(const std::string& name, const ImageView& image, const ImageMetadata& metadata) try {
  const Format& format = format_of(name);
  if (image.channels > 2 && !format.colour) refuse_image(name, "a PGM file holds grey images, this one has colours");
  const cv::Mat matrix = with_channels(with_depth(io::as_mat(image), image.type, format.deepest), format);
  return format.encode(io::view_of(matrix), metadata);
} catch (const EncodeError& error) {
  refuse_image(name, error.what());
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "cannot write '" + name + "': there is not enough memory");
} catch (const cv::Exception& error) {
  throw_error_of(error, "cannot write '" + name + "'");
}

}  // namespace

std::vector<std::byte> encode_image(const std::string& name, const ImageView& image) { return encode(name, image, {}); }

void require_writable_images(std::span<const std::filesystem::path> files, bool in_colour, std::string_view option) {
  std::vector<std::string_view> endings;
  for (const Format& format : formats) {
    if (format.colour || !in_colour) endings.push_back(format.ending);
  }
  require_ending(files, endings, option);
  require_writable(files);
}

void restore_values(Image& image, const ValueRange& scale, const std::string& name) {
  if (image.type() <= format_of(name).deepest) map_from_full_scale(image, scale);
}

void write_image(const std::filesystem::path& file, const ImageView& image) { write_image(file, image, {}); }

void write_image_unless_stopped(const std::filesystem::path& file, const ImageView& image,
                                const std::stop_token& stop) {
  const std::vector<std::byte> bytes = encode(file.string(), image, {});
  if (!stop.stop_requested()) write_file(file, bytes);
}

void write_image(const std::filesystem::path& file, const ImageView& image, const ImageMetadata& metadata) {
  write_file(file, encode(file.string(), image, metadata));
}

}  // namespace octavo
