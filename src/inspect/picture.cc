// Planes of floats as pictures of bytes, smaller where they are large.

#include <algorithm>
#include <cmath>
#include <vector>

#include "octavo/inspect.h"

namespace octavo {
namespace {

const float* row_of(const ImageView& plane, int y) { return reinterpret_cast<const float*>(plane.row(y)); }

std::byte byte_of(float value, float low, float high) {
  return static_cast<std::byte>(std::lround(std::clamp(value, low, high)));
}

}  // namespace

int reduction(int width, int height, int longest_side) {
  if (longest_side <= 0) return 1;
  return std::max(1, (std::max(width, height) + longest_side - 1) / longest_side);
}

Image reduced(const ImageView& plane, int factor) {
  const int width = (plane.width + factor - 1) / factor, height = (plane.height + factor - 1) / factor;
  Image means(width, height, 1, PixelType::f32);
  std::vector<double> sums(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    const int y_end = std::min((y + 1) * factor, plane.height);
    for (int from = y * factor; from < y_end; ++from) {
      const float* row = row_of(plane, from);
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        for (int i = x * factor; i < std::min((x + 1) * factor, plane.width); ++i) sum += row[i];
        sums[static_cast<std::size_t>(x)] += sum;
      }
    }
    float* out = reinterpret_cast<float*>(means.row(y));
    for (int x = 0; x < width; ++x) {
      const int pixels = (std::min((x + 1) * factor, plane.width) - x * factor) * (y_end - y * factor);
      out[x] = static_cast<float>(sums[static_cast<std::size_t>(x)] / pixels);
    }
  }
  return means;
}

Image picture_of(const ImageView& pixels, const StagePlane& plane) {
  Image picture(pixels.width, pixels.height, 1, PixelType::u8);
  const float gain = plane.is_signed ? 127 / plane.white : 255 / (plane.white - plane.black);
  for (int y = 0; y < pixels.height; ++y) {
    const float* row = row_of(pixels, y);
    std::byte* out = picture.row(y);
    for (int x = 0; x < pixels.width; ++x) {
      out[x] = plane.is_signed ? byte_of(128 + row[x] * gain, 1, 255) : byte_of((row[x] - plane.black) * gain, 0, 255);
    }
  }
  return picture;
}

}  // namespace octavo
