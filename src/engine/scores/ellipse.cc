// The area that two ellipses have in common, from its boundary. An affine map makes the first ellipse the unit disc and
// turns the axes of the second, of half lengths p ≥ q, to x and y. Reflections bring its centre (x, y) to x, y > 0. Its
// boundary is (x + p cos φ, y + q sin φ), and
//
//   g(φ) = (x + p cos φ)² + (y + q sin φ)² − 1
//
// is negative where this boundary is inside the disc. The boundaries cross at the roots of g. Between neighbouring
// extrema of g is at most one root, and the extrema are known by quadrant, since a normal of the ellipse through the
// origin belongs to each:
//   first quadrant   the largest distance from the origin
//   second quadrant  two extrema or none: g' / (sin φ |cos φ|) = const − 2xp / |cos φ| − 2yq / sin φ is concave, and
//                    largest where tan³ φ = −yq / (xp)
//   third quadrant   the smallest distance
//   fourth quadrant  none: all terms of g' are positive
// All extrema and roots are therefore found between bounds, without a tolerance. By Green's theorem the common area is
// the sum over the arcs that bound it of ½∮(x dy − y dx).

#include "engine/scores/ellipse.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace octavo::evaluation {
namespace {

using std::numbers::pi;

double determinant(const std::array<double, 4>& m) { return m[0] * m[3] - m[1] * m[2]; }

// The largest eigenvalue of A·Aᵀ, and the angle of its eigenvector.
std::pair<double, double> longest_axis(const std::array<double, 4>& m) {
  const double xx = m[0] * m[0] + m[1] * m[1], yy = m[2] * m[2] + m[3] * m[3], xy = m[0] * m[2] + m[1] * m[3];
  const double half = (xx - yy) / 2;
  // Not std::hypot: that of Debian 12 would bind the wheel to glibc 2.35, and results differ between its versions.
  return {(xx + yy) / 2 + std::sqrt(half * half + xy * xy), std::atan2(2 * xy, xx - yy) / 2};
}

// An ellipse with axes along x and y, beside the unit disc.
struct BesideDisc {
  double x, y;  // of the centre, above 0
  double p, q;  // half axes along x and y, p ≥ q

  struct Slopes {
    double value, first, second;
  };
  // g and half of its derivatives.
  [[nodiscard]] Slopes at(double phi) const {
    const double cosine = std::cos(phi), sine = std::sin(phi);
    const double u = x + p * cosine, v = y + q * sine, du = -p * sine, dv = q * cosine;
    return {u * u + v * v - 1, u * du + v * dv, du * du + dv * dv - u * p * cosine - v * q * sine};
  }
  [[nodiscard]] bool holds(double u, double v) const {
    const double a = (u - x) / p, b = (v - y) / q;
    return a * a + b * b < 1;
  }
  // Where the boundary at phi is, seen from the origin [radian].
  [[nodiscard]] double direction(double phi) const { return std::atan2(y + q * std::sin(phi), x + p * std::cos(phi)); }
};

// The place between two others where a function changes its sign, by Newton's steps within bounds. `function` gives its
// value and slope, and is above 0 at `above` and not at `below`.
template <class Function>
double change_of_sign(const Function& function, double above, double below) {
  double at = (above + below) / 2, last_step = std::abs(above - below);
  for (int i = 0; i < 100; ++i) {
    const auto [value, slope] = function(at);
    (value > 0 ? above : below) = at;
    double next = at - value / slope;
    const bool is_between = (next - above) * (next - below) < 0;
    if (!is_between || std::abs(next - at) > last_step / 2) next = (above + below) / 2;
    last_step = std::abs(next - at);
    at = next;
    if (last_step < 1e-14) break;
  }
  return at;
}

// The extrema of g, ascending.
std::vector<double> extrema(const BesideDisc& e) {
  const auto slope = [&e](double phi) {
    const BesideDisc::Slopes g = e.at(phi);
    return std::pair(g.first, g.second);
  };
  std::vector<double> found{change_of_sign(slope, 0, pi / 2)};
  const double steepest = pi - std::atan2(std::cbrt(e.y * e.q), std::cbrt(e.x * e.p));
  if (e.at(steepest).first > 0) {
    found.push_back(change_of_sign(slope, steepest, pi / 2));
    found.push_back(change_of_sign(slope, steepest, pi));
  }
  found.push_back(change_of_sign(slope, 3 * pi / 2, pi));
  return found;
}

// Where the boundary of the ellipse crosses that of the disc, ascending, in an interval of 2π: two, four or none.
std::vector<double> crossings(const BesideDisc& e) {
  const auto g = [&e](double phi) {
    const BesideDisc::Slopes slopes = e.at(phi);
    return std::pair(slopes.value, 2 * slopes.first);
  };
  std::vector<double> ends = extrema(e), found;
  ends.push_back(ends.front() + 2 * pi);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const bool is_outside = g(ends[i]).first > 0, is_next_outside = g(ends[i + 1]).first > 0;
    if (is_outside == is_next_outside) continue;
    found.push_back(is_outside ? change_of_sign(g, ends[i], ends[i + 1]) : change_of_sign(g, ends[i + 1], ends[i]));
  }
  return found;
}

double area_in_disc(const BesideDisc& e) {
  std::vector<double> ends = crossings(e);
  if (ends.empty()) {
    if (e.at(0).value <= 0) return pi * e.p * e.q;
    return e.holds(0, 0) ? pi : 0;
  }
  std::vector<double> directions;
  for (const double phi : ends) directions.push_back(e.direction(phi));
  std::sort(directions.begin(), directions.end());
  ends.push_back(ends.front() + 2 * pi);
  directions.push_back(directions.front() + 2 * pi);
  double twice = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double from = ends[i], to = ends[i + 1];
    if (e.at((from + to) / 2).value > 0) continue;
    twice += e.p * e.q * (to - from) + e.x * e.q * (std::sin(to) - std::sin(from)) -
             e.y * e.p * (std::cos(to) - std::cos(from));
  }
  for (std::size_t i = 0; i + 1 < directions.size(); ++i) {
    const double middle = (directions[i] + directions[i + 1]) / 2;
    if (e.holds(std::cos(middle), std::sin(middle))) twice += directions[i + 1] - directions[i];
  }
  return twice / 2;
}

// The second ellipse in the frame in which the first is the unit disc.
BesideDisc beside(const Ellipse& disc, const Ellipse& ellipse) {
  // Not a structured binding: clang 14 lets no lambda capture one.
  const double a = disc.matrix[0], b = disc.matrix[1], c = disc.matrix[2], d = disc.matrix[3];
  const double factor = 1 / determinant(disc.matrix);
  const auto in_frame = [&](double x, double y) { return Point{factor * (d * x - b * y), factor * (a * y - c * x)}; };
  const Point centre = in_frame(ellipse.centre.x - disc.centre.x, ellipse.centre.y - disc.centre.y);
  const auto& m = ellipse.matrix;
  const Point first = in_frame(m[0], m[2]), second = in_frame(m[1], m[3]);
  const std::array<double, 4> matrix{first.x, second.x, first.y, second.y};
  const auto [square, angle] = longest_axis(matrix);
  const double p = std::sqrt(square), cosine = std::cos(angle), sine = std::sin(angle);
  // A centre on an axis would make two extrema one. It moves by too little to matter.
  constexpr double least = 1e-12;
  return {.x = std::max(least, std::abs(cosine * centre.x + sine * centre.y)),
          .y = std::max(least, std::abs(cosine * centre.y - sine * centre.x)),
          .p = p,
          .q = std::abs(determinant(matrix)) / p};
}

}  // namespace

double area(const Ellipse& ellipse) { return pi * std::abs(determinant(ellipse.matrix)); }

double longest_radius(const Ellipse& ellipse) { return std::sqrt(longest_axis(ellipse.matrix).first); }

double common_area(const Ellipse& one, const Ellipse& other) {
  const double common = std::abs(determinant(one.matrix)) * area_in_disc(beside(one, other));
  return std::clamp(common, 0.0, std::min(area(one), area(other)));
}

}  // namespace octavo::evaluation
