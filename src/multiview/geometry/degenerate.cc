#include "multiview/geometry/degenerate.h"

#include <algorithm>
#include <cmath>

namespace octavo {

namespace {

// Larger coordinates lose all decimals in the single precision of OpenCV.
constexpr double largest_coordinate = 1e7;

constexpr double smallest_length = 1e-4;  // [pixel]
constexpr double thinnest = 0.01;         // ratio of width to length

}  // namespace

std::string why_degenerate(std::span<const Point> points, const std::string& name, double threshold) {
  double mean_x = 0, mean_y = 0;
  for (const Point& p : points) {
    // The condition is negated, so that it is also true for a NaN.
    if (!(std::abs(p.x) <= largest_coordinate && std::abs(p.y) <= largest_coordinate)) {
      return "a point of " + name + " lies beyond 10^7 pixels or is not a number";
    }
    mean_x += p.x;
    mean_y += p.y;
  }
  const auto n = static_cast<double>(points.size());
  mean_x /= n;
  mean_y /= n;

  // The principal axes of the points: mean squares along them are the eigenvalues of the covariance.
  double xx = 0, xy = 0, yy = 0;
  for (const Point& p : points) {
    const double dx = p.x - mean_x, dy = p.y - mean_y;
    xx += dx * dx / n;
    xy += dx * dy / n;
    yy += dy * dy / n;
  }
  const double middle = (xx + yy) / 2;
  const double half_difference = std::hypot((xx - yy) / 2, xy);
  const double length = std::sqrt(middle + half_difference);
  const double width = std::sqrt(std::max(0.0, middle - half_difference));
  if (length <= smallest_length) return "all points of " + name + " are equal";
  if (width <= std::min(threshold, thinnest * length)) return "all points of " + name + " lie on a line";
  return {};
}

}  // namespace octavo
