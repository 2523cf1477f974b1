// Areas that two ellipses have in common, against closed forms and against a sum over strips.

#include "engine/scores/ellipse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace octavo::evaluation {
namespace {

using std::numbers::pi;
using Matrix = std::array<double, 4>;

Ellipse circle(double x, double y, double radius) { return {{x, y}, {radius, 0, 0, radius}}; }

Ellipse turned_ellipse(double x, double y, double p, double q, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{x, y}, {p * c, -q * s, p * s, q * c}};
}

// The area of the lens of two circles at the distance d.
double lens(double r, double s, double d) {
  const double a = (d * d + r * r - s * s) / (2 * d), b = d - a;
  return r * r * std::acos(a / r) - a * std::sqrt(r * r - a * a) + s * s * std::acos(b / s) -
         b * std::sqrt(s * s - b * b);
}

Ellipse mapped(const Matrix& m, Point shift, const Ellipse& e) {
  const auto& a = e.matrix;
  return {{m[0] * e.centre.x + m[1] * e.centre.y + shift.x, m[2] * e.centre.x + m[3] * e.centre.y + shift.y},
          {m[0] * a[0] + m[1] * a[2], m[0] * a[1] + m[1] * a[3], m[2] * a[0] + m[3] * a[2], m[2] * a[1] + m[3] * a[3]}};
}

// The area of two ellipses, and of them after affine maps, one of which mirrors. The order must not matter.
void expect_common(const Ellipse& one, const Ellipse& other, double expected) {
  const double tolerance = 1e-10 * (area(one) + area(other));
  EXPECT_NEAR(common_area(one, other), expected, tolerance);
  EXPECT_NEAR(common_area(other, one), expected, tolerance);
  const double factor = 3 * 0.5 - 2 * -1;
  for (const Matrix& m : {Matrix{3, 2, -1, 0.5}, Matrix{2, 3, 0.5, -1}}) {
    const Ellipse one_mapped = mapped(m, {-7, 40}, one), other_mapped = mapped(m, {-7, 40}, other);
    EXPECT_NEAR(common_area(one_mapped, other_mapped), factor * expected, 10 * factor * tolerance);
  }
}

TEST(Ellipses, HaveAnAreaAndALongestRadius) {
  const Ellipse e = turned_ellipse(5, 6, 4, 2, 0.3);
  EXPECT_NEAR(area(e), 8 * pi, 1e-12);
  EXPECT_NEAR(longest_radius(e), 4, 1e-12);
}

TEST(Ellipses, ShareWhatClosedFormsSay) {
  expect_common(circle(3, 4, 2), circle(3, 4, 2), 4 * pi);                  // identical
  expect_common(circle(3, 4, 2), circle(3, 4, 5), 4 * pi);                  // concentric
  expect_common(circle(0, 0, 2), circle(10, 1, 5), 0);                      // disjoint
  expect_common(circle(0, 0, 2), circle(4, 0, 2), 0);                       // touching
  expect_common(circle(0, 0, 5), circle(3, 1, 1), pi);                      // one inside the other
  expect_common(circle(0, 0, 5), circle(3, 0, 2), 4 * pi);                  // inside, touching
  expect_common(circle(0, 0, 5), turned_ellipse(1, 1, 2, 1, 1), 2 * pi);    // an ellipse inside a circle
  expect_common(circle(1, 1, 0.5), turned_ellipse(0, 1, 9, 2, 0), pi / 4);  // a circle inside an ellipse
  for (const double d : {0.001, 0.5, 1.0, 2.5, 3.999}) {
    expect_common(circle(0, 0, 2), circle(d, 0, 2), lens(2, 2, d));
    expect_common(circle(-1, 2, 2), circle(-1, 2 - d, 2), lens(2, 2, d));
  }
  for (const double d : {1.5, 2.0, 3.9})
    expect_common(circle(1, 1, 3), circle(1 + 0.6 * d, 1 + 0.8 * d, 1), [&] {
      return d >= 4 ? 0 : d <= 2 ? pi : lens(3, 1, d);
    }());
  // A cross of an ellipse and the same turned by a right angle: four times the sector up to 45°.
  const double p = 3, q = 1;
  expect_common(turned_ellipse(0, 0, p, q, 0.2), turned_ellipse(0, 0, p, q, 0.2 + pi / 2),
                4 * p * q * std::atan(q / p));
}

// The common area by the lengths of vertical chords. With x = sin t the ends of the unit circle are smooth.
double by_strips(double x, double y, double p, double q, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  // (u, v) relative to the centre: A·u² + 2B·u·v + C·v² = 1.
  const double a = c * c / (p * p) + s * s / (q * q), b = c * s * (1 / (p * p) - 1 / (q * q)),
               d = s * s / (p * p) + c * c / (q * q);
  constexpr int strips = 100000;
  double sum = 0;
  for (int i = 0; i < strips; ++i) {
    const double t = pi * ((i + 0.5) / strips - 0.5), u = std::sin(t) - x, half = std::cos(t);
    const double root = b * b * u * u - d * (a * u * u - 1);
    if (root <= 0) continue;
    const double low = y + (-b * u - std::sqrt(root)) / d, high = y + (-b * u + std::sqrt(root)) / d;
    sum += std::max(0.0, std::min(high, half) - std::max(low, -half)) * half;
  }
  return sum * pi / strips;
}

TEST(Ellipses, ShareWhatASumOverStripsSays) {
  std::uint32_t state = 1;
  const auto number = [&](double low, double high) {
    return low + (state = state * 1664525 + 1013904223) / 4294967296.0 * (high - low);
  };
  for (int i = 0; i < 400; ++i) {
    // Small offsets of thin ellipses cross the circle four times.
    const double x = number(-1.2, 1.2), y = number(-1.2, 1.2), p = number(0.3, 3), q = number(0.1, 1.2);
    const double angle = number(0, pi);
    EXPECT_NEAR(common_area(circle(0, 0, 1), turned_ellipse(x, y, p, q, angle)), by_strips(x, y, p, q, angle), 2e-6)
        << x << ' ' << y << ' ' << p << ' ' << q << ' ' << angle;
  }
}

}  // namespace
}  // namespace octavo::evaluation
