// Planes of floats as images of bytes. Large planes are reduced.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "octavo/image.h"
#include "octavo/inspect.h"

namespace octavo {
namespace {

const float* row_of(const ImageView& plane, int y) { return reinterpret_cast<const float*>(plane.row(y)); }

std::byte byte_of(float value, float low, float high) {
  return static_cast<std::byte>(std::lround(std::clamp(value, low, high)));
}

// The value that is farthest from 0, out of these values and one more.
double strongest(const float* begin, const float* end, double value) {
  for (; begin != end; ++begin) {
    if (std::abs(*begin) > std::abs(value)) value = *begin;
  }
  return value;
}

// The value of some pixels and of those before them, which `value` stands for.
double merged(const StagePlane& plane, const float* begin, const float* end, double value) {
  if (plane.is_signed) return strongest(begin, end, value);
  if (plane.has_peaks) return std::max<double>(value, *std::max_element(begin, end));
  return std::accumulate(begin, end, value);
}

}  // namespace

int reduction(int width, int height, int longest_side) {
  if (longest_side <= 0) return 1;
  return std::max(1, (std::max(width, height) + longest_side - 1) / longest_side);
}

Image reduced(const StagePlane& plane, int factor) {
  const ImageView& from = plane.pixels;
  const int width = (from.width + factor - 1) / factor, height = (from.height + factor - 1) / factor;
  Image small(width, height, 1, PixelType::f32);
  std::vector<double> squares(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    std::fill(squares.begin(), squares.end(), plane.has_peaks ? -std::numeric_limits<double>::infinity() : 0.0);
    const int y_end = std::min((y + 1) * factor, from.height);
    for (int row = y * factor; row < y_end; ++row) {
      for (int x = 0; x < width; ++x) {
        const float *begin = row_of(from, row) + std::ptrdiff_t{x} * factor,
                    *end = row_of(from, row) + std::min((x + 1) * factor, from.width);
        double& square = squares[static_cast<std::size_t>(x)];
        square = merged(plane, begin, end, square);
      }
    }
    float* out = reinterpret_cast<float*>(small.row(y));
    for (int x = 0; x < width; ++x) {
      const int columns = std::min((x + 1) * factor, from.width) - x * factor, rows = y_end - y * factor;
      const bool is_mean = !plane.is_signed && !plane.has_peaks;
      out[x] = static_cast<float>(squares[static_cast<std::size_t>(x)] / (is_mean ? columns * rows : 1));
    }
  }
  return small;
}

Image image_of(const ImageView& pixels, const StagePlane& plane) {
  Image image(pixels.width, pixels.height, 1, PixelType::u8);
  const float gain = plane.is_signed ? 127 / plane.white : 255 / (plane.white - plane.black);
  for (int y = 0; y < pixels.height; ++y) {
    const float* row = row_of(pixels, y);
    std::byte* out = image.row(y);
    for (int x = 0; x < pixels.width; ++x) {
      out[x] = plane.is_signed ? byte_of(128 + row[x] * gain, 1, 255) : byte_of((row[x] - plane.black) * gain, 0, 255);
    }
  }
  return image;
}

}  // namespace octavo
