#include "engine/inspect/shown_planes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace octavo::inspection {

ImageView view_of(const Plane& plane) {
  return {plane.row(0),   plane.width(),
          plane.height(), 1,
          PixelType::f32, plane.stride() * static_cast<std::ptrdiff_t>(sizeof(float))};
}

Range range_of(const Plane& plane) {
  Range range{plane.row(0)[0], plane.row(0)[0]};
  for (int y = 0; y < plane.height(); ++y) {
    const auto [low, high] = std::minmax_element(plane.row(y), plane.row(y) + plane.width());
    range = {std::min(range.low, *low), std::max(range.high, *high)};
  }
  constexpr float least = 1.0f / 65536;  // a flat image shows its grey, and rounding stays invisible
  if (!(range.high - range.low > least)) range = {std::min(range.low, 0.0f), std::max(range.high, 1.0f)};
  return range;
}

void UsualSize::add(const Plane& plane) {
  constexpr double sample = 1 << 18;
  const int step = std::max(1, static_cast<int>(std::sqrt(double{1} * plane.width() * plane.height() / sample)));
  for (int y = step / 2; y < plane.height(); y += step) {
    for (int x = step / 2; x < plane.width(); x += step) sizes_.push_back(std::abs(plane.row(y)[x]));
  }
}

float UsualSize::value() const {
  constexpr float least = 1.0f / 1024;
  std::vector<float> sizes = sizes_;
  const auto usual = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() * 199 / 200);
  std::nth_element(sizes.begin(), usual, sizes.end());
  return std::max(*usual, least);
}

}  // namespace octavo::inspection
