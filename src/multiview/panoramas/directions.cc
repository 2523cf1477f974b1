// Places of a panorama and directions; the sizes of its views.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "octavo/multiview/panorama.h"

namespace octavo {

using std::numbers::pi;

bool is_two_to_one(ImageSize size) { return size.height > 1 && std::abs(size.width - 2 * size.height) <= 2; }

std::array<double, 3> panorama_direction(double u, double v, double width) {
  const double longitude = 2 * pi * (u / width - 0.5), latitude = pi * (0.5 - 2 * v / width);
  return {std::cos(latitude) * std::sin(longitude), -std::sin(latitude), std::cos(latitude) * std::cos(longitude)};
}

std::array<double, 2> panorama_place(const std::array<double, 3>& direction, double width) {
  const auto& [x, y, z] = direction;
  const double longitude = std::atan2(x, z), latitude = std::atan2(-y, std::hypot(x, z));
  return {(longitude / (2 * pi) + 0.5) * width, (0.5 - latitude / pi) * width / 2};
}

// In the middle of a view a pixel shows 1/f radian, and in the panorama 2π/W.
int view_size_of(const PanoramaOptions& options, int width) {
  if (options.view_size > 0) return options.view_size;
  const double half = options.view_angle / 2 * pi / 180;
  return std::max(1, static_cast<int>(std::lround(width / pi * std::tan(half))));
}

double focal_length_of(const PanoramaOptions& options, int size) {
  return size / 2.0 / std::tan(options.view_angle / 2 * pi / 180);
}

}  // namespace octavo
