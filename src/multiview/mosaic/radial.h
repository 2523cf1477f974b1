#pragma once

// Radial lens distortion with one number, as in Fitzgibbon, "Simultaneous linear estimation of multiple view geometry
// and lens distortion", CVPR 2001. A pixel at the distance r from the centre of its image, in halves of the diagonal,
// is drawn at r / (1 − radial·r²). It comes closer to wide-angle lenses than r·(1 + radial·r²): that of a fisheye,
// tan(r), is missed in the fifth power by a sixth as much.

#include <cmath>
#include <opencv2/core.hpp>
#include <optional>

namespace octavo::mosaic {

/// The distortion of a lens lies between these: the corners are drawn 0.8 to 4 times as far from the centre.
inline constexpr double least_radial = -0.25, largest_radial = 0.75;

/// What to multiply a place relative to the centre, in halves of the diagonal, by to have the place where it is drawn.
inline double drawn(double r2, double radial) { return 1 / (1 - radial * r2); }

/// Where a point relative to the centre, in halves of the diagonal, is drawn.
inline cv::Point2d undistorted(const cv::Point2d& p, double radial) { return p * drawn(p.dot(p), radial); }

/// What to multiply a drawn place by, whose squared distance from the centre is `u2`, to have the point that is drawn
/// there; none where no point is.
template <class T>
std::optional<T> undrawn(const T& u2, const T& radial) {
  using std::sqrt;
  const T discriminant = 1.0 + 4.0 * radial * u2;
  if (!(discriminant > 0.01)) return {};
  return 2.0 / (1.0 + sqrt(discriminant));
}

/// The point that is drawn there; none where no point is.
inline std::optional<cv::Point2d> distorted(const cv::Point2d& at, double radial) {
  const std::optional<double> factor = undrawn(at.dot(at), radial);
  if (!factor) return {};
  return at * *factor;
}

}  // namespace octavo::mosaic
