// Encoding with OpenCV. The ending of the file name chooses the format. The pixels are first reduced to the types of
// the format, since OpenCV would do that without notice and differently for each format.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "geometry/opencv_error.h"
#include "imageio/cv_mat.h"
#include "octavo/error.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"

namespace octavo {
namespace {

struct Format {
  std::string_view ending;
  PixelType deepest;  ///< the widest samples of the format
  bool grey, colour, alpha;
};

constexpr std::array<Format, 8> formats{{
    {".png", PixelType::u16, true, true, true},
    {".jpg", PixelType::u8, true, true, false},
    {".jpeg", PixelType::u8, true, true, false},
    {".tif", PixelType::f32, true, true, true},
    {".tiff", PixelType::f32, true, true, true},
    {".webp", PixelType::u8, false, true, true},
    {".pgm", PixelType::u16, true, false, false},
    {".ppm", PixelType::u16, false, true, false},
}};

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot write '" + name + "': " + why);
}

const Format& format_of(const std::string& name) {
  std::string ending = std::filesystem::path(name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto* const found =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.ending == ending; });
  if (found == formats.end()) {
    refuse(name, "the name's ending '" + ending + "' is none of .png, .jpg, .jpeg, .tif, .tiff, .webp, .pgm, .ppm");
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

/// Grey, or blue, green, red and optional alpha, as imencode requires.
cv::Mat with_channels(const cv::Mat& matrix, const Format& format) {
  std::vector<cv::Mat> planes;
  cv::split(matrix, planes);
  const bool is_grey = planes.size() <= 2;
  const bool has_alpha = planes.size() % 2 == 0 && format.alpha;
  if (is_grey && !has_alpha && format.grey) return planes[0];
  std::vector<cv::Mat> out{planes[is_grey ? 0 : 2], planes[is_grey ? 0 : 1], planes[0]};
  if (has_alpha) out.push_back(planes.back());
  cv::Mat merged;
  cv::merge(out, merged);
  return merged;
}

}  // namespace

std::vector<std::byte> encode_image(const std::string& name, const ImageView& image) try {
  const Format& format = format_of(name);
  if (image.channels > 2 && !format.colour) refuse(name, "a PGM file holds grey pictures, this one has colours");
  const cv::Mat matrix = with_channels(with_depth(imageio::to_mat(image), image.type, format.deepest), format);
  // By default OpenCV writes float colours in SGI's logarithmic form, which loses digits.
  constexpr int lzw = 5;
  std::vector<int> parameters;
  if (format.deepest == PixelType::f32) parameters = {cv::IMWRITE_TIFF_COMPRESSION, lzw};
  std::vector<unsigned char> encoded;
  if (!cv::imencode(std::string(format.ending), matrix, encoded, parameters))
    refuse(name, "the picture cannot be encoded");
  const auto bytes = std::as_bytes(std::span(encoded));
  return {bytes.begin(), bytes.end()};
} catch (const cv::Exception& error) {
  if (error.code == cv::Error::StsNoMem) throw_error_of(error, "cannot write '" + name + "'");
  refuse(name, "a picture of " + std::to_string(image.width) + " × " + std::to_string(image.height) +
                   " pixels cannot be encoded as " + std::string(format_of(name).ending));
}

void require_writable_pictures(std::span<const std::filesystem::path> files, bool in_colour) {
  std::vector<std::string_view> endings;
  for (const Format& format : formats) {
    if (format.colour || !in_colour) endings.push_back(format.ending);
  }
  require_ending(files, endings);
  require_writable(files);
}

void write_image(const std::filesystem::path& file, const ImageView& image) {
  write_file(file, encode_image(file.string(), image));
}

}  // namespace octavo
