// Point sets that determine no model, whatever their number of points.

#pragma once

#include <span>
#include <string>

#include "octavo/multiview/geometry.h"

namespace octavo {

/// The reason why the points of image `name` cannot determine a homography or an epipolar geometry: they are not
/// finite, all equal, or on a line. A line is thinner (root mean square) than both `threshold` pixels and a hundredth
/// of its length. Empty if there is no such reason.
std::string why_degenerate(std::span<const Point> points, const std::string& name, double threshold);

}  // namespace octavo
