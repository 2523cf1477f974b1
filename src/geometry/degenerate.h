// Point sets that determine no model, however many points they have.

#pragma once

#include <span>
#include <string>

#include "octavo/geometry.h"

namespace octavo {

/// Why the points of image `name` cannot carry a homography or a fundamental matrix: not finite, all equal, or on a
/// line, that is thinner (root mean square) than both `threshold` pixels and a hundredth of their length. Empty if they
/// can.
std::string why_degenerate(std::span<const Point> points, const std::string& name, double threshold);

}  // namespace octavo
