// WebP through OpenCV. The container (RFC 9649) is a RIFF file: its header states its length, so truncation shows, and
// an "EXIF" chunk may state an orientation.

#include <algorithm>
#include <cstring>
#include <limits>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "imageio/cv_mat.h"
#include "imageio/decoders.h"
#include "imageio/exif.h"

namespace octavo::imageio {
namespace {

constexpr std::size_t chunk_header = 8;

/// The length a chunk's header states.
std::size_t chunk_length(Bytes chunk) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::to_integer<std::size_t>(chunk[4 + i]) << 8 * i;
  return length;
}

int orientation(Bytes file) {
  Bytes rest = file.subspan(chunk_header + 4);
  while (rest.size() >= chunk_header) {
    const std::size_t length = std::min(chunk_length(rest), rest.size() - chunk_header);
    if (std::memcmp(rest.data(), "EXIF", 4) == 0) return exif_orientation(rest.subspan(chunk_header, length));
    rest = rest.subspan(std::min(rest.size(), chunk_header + length + length % 2));  // chunks start at even offsets
  }
  return 1;
}

}  // namespace

Decoded decode_webp(Bytes file) {
  if (chunk_length(file) > file.size() - chunk_header) throw DecodeError("the WebP data are truncated");
  if (file.size() > std::numeric_limits<int>::max()) throw DecodeError("its WebP data are larger than 2 GiB");
  const cv::Mat bytes(1, static_cast<int>(file.size()), CV_8U, const_cast<std::byte*>(file.data()));
  cv::Mat pixels;
  try {
    pixels = cv::imdecode(bytes, cv::IMREAD_UNCHANGED);
  } catch (const cv::Exception&) {  // a damaged header; pixels stay empty, as they do for damaged pixels
  }
  if (pixels.empty()) throw DecodeError("the WebP data are damaged, or show an animation");
  cv::cvtColor(pixels, pixels, pixels.channels() == 4 ? cv::COLOR_BGRA2RGBA : cv::COLOR_BGR2RGB);
  return {to_image(pixels), orientation(file)};
}

}  // namespace octavo::imageio
