// A place on the ellipsoid of WGS 84 (semi-major axis a, eccentricity e) with latitude φ, longitude λ and height h has
// the Cartesian coordinates
//
//     N = a / √(1 − e² sin² φ)    ((N + h) cos φ cos λ, (N + h) cos φ sin λ, (N (1 − e²) + h) sin φ)

#include "io/images/earth_point.h"

#include <cmath>
#include <numbers>

namespace octavo {

std::array<double, 3> earth_point(const GpsPlace& place) {
  constexpr double a = 6378137, e2 = 6.69437999014e-3, degree = std::numbers::pi / 180;
  const double phi = place.latitude * degree, lambda = place.longitude * degree, height = place.altitude.value_or(0);
  const double n = a / std::sqrt(1 - e2 * std::sin(phi) * std::sin(phi));
  const double radius = (n + height) * std::cos(phi);
  return {radius * std::cos(lambda), radius * std::sin(lambda), (n * (1 - e2) + height) * std::sin(phi)};
}

}  // namespace octavo
