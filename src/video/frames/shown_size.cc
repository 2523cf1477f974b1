#include "video/frames/shown_size.h"

#include <algorithm>
#include <numeric>

namespace octavo::video {
namespace {

// numerator/denominator rounded half up, at least 1.
int rounded(std::int64_t numerator, std::int64_t denominator) {
  return static_cast<int>(std::max<std::int64_t>((2 * numerator + denominator) / (2 * denominator), 1));
}

}  // namespace

bool is_credible(Ratio pixel_aspect) {
  const auto [n, d] = pixel_aspect;
  return n > 0 && d > 0 && n <= 1'000'000 && d <= 1'000'000 && n <= 8 * d && d <= 8 * n;
}

ImageSize shown_size(ImageSize stored, Ratio pixel_aspect, std::int64_t longest_side) {
  const std::int64_t common = std::gcd(pixel_aspect.numerator, pixel_aspect.denominator);
  const std::int64_t n = pixel_aspect.numerator / common, d = pixel_aspect.denominator / common;
  // The sides with square pixels are width/unit and height/unit.
  const std::int64_t width = stored.width * n, height = stored.height * d, unit = std::min(n, d);
  const std::int64_t longest = std::max(width, height);
  if (longest_side == 0 || longest <= longest_side * unit) return {rounded(width, unit), rounded(height, unit)};
  return {rounded(width * longest_side, longest), rounded(height * longest_side, longest)};
}

}  // namespace octavo::video
