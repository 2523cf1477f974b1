#pragma once

#include <array>

#include "octavo/matcher.h"

namespace octavo::evaluation {

/// The points centre + A·u with |u| ≤ 1, where A (2×2, row by row) has an inverse.
struct Ellipse {
  Point centre;
  std::array<double, 4> matrix{};
};

/// [pixel²]
double area(const Ellipse& ellipse);

/// Half of the longest diameter [pixel].
double longest_radius(const Ellipse& ellipse);

/// The area that two ellipses have in common [pixel²], to about 10⁻¹¹ of the first ellipse's area.
double common_area(const Ellipse& one, const Ellipse& other);

}  // namespace octavo::evaluation
