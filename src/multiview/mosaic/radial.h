#pragma once

// Radial lens distortion with one number. A pixel at the distance r from the centre of its image, in halves of the
// diagonal, is drawn at r·(1 + radial·r²).

#include <cmath>
#include <opencv2/core.hpp>
#include <optional>

namespace octavo::mosaic {

/// The distortion of a lens lies between these; the formula holds up to the corners then, where its slope 1 + 3·radial
/// is 0.25 and more.
inline constexpr double least_radial = -0.25, largest_radial = 0.6;

/// Where a point relative to the centre, in halves of the diagonal, is drawn.
inline cv::Point2d undistorted(const cv::Point2d& p, double radial) { return p * (1 + radial * p.dot(p)); }

/// What to multiply a drawn place by, which is `u` from the centre, to have the point that is drawn there. By Newton's
/// method; none beyond the radius to which the formula holds.
inline std::optional<double> undrawn(double u, double radial) {
  if (radial == 0) return 1;
  if (!(u < 3)) return {};
  constexpr double still = 1e-9;  // its square, the error that is left, is below that of a double
  double r = u, step = 1;
  for (int i = 0; i < 6 && std::abs(step) > still; ++i) {
    const double slope = 1 + 3 * radial * r * r;
    if (!(slope > 0.1)) return {};
    step = (r * (1 + radial * r * r) - u) / slope;
    r -= step;
  }
  return u > 0 ? r / u : 1;
}

/// The point that is drawn there; none beyond the radius to which the formula holds.
inline std::optional<cv::Point2d> distorted(const cv::Point2d& drawn, double radial) {
  const std::optional<double> factor = undrawn(cv::norm(drawn), radial);
  if (!factor) return {};
  return drawn * *factor;
}

}  // namespace octavo::mosaic
