#include "video/signature/frame_similarity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace octavo {
namespace {

FramePoint centre_of(const std::vector<FramePoint>& points) {
  FramePoint sum;
  for (const FramePoint& p : points) {
    sum.x += p.x;
    sum.y += p.y;
  }
  const auto n = static_cast<double>(points.size());
  return {sum.x / n, sum.y / n};
}

// The stretch with which a turn as that of `rough` fits best. The sums of both axes are apart, for the turn is known.
std::optional<double> fitted_stretch(const Similarity& rough, const std::vector<FramePoint>& from,
                                     const std::vector<FramePoint>& to) {
  constexpr double least = 0.5, most = 2;  // what formats differ by, and more; a guess
  const FramePoint mean_from = centre_of(from), mean_to = centre_of(to);
  double xx = 0, yy = 0, along_x = 0, along_y = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const FramePoint p{from[i].x - mean_from.x, from[i].y - mean_from.y};
    const FramePoint q{to[i].x - mean_to.x, to[i].y - mean_to.y};
    xx += p.x * p.x;
    yy += p.y * p.y;
    along_x += p.x * (rough.a * q.x + rough.b * q.y);
    along_y += p.y * (rough.a * q.y - rough.b * q.x);
  }
  if (xx == 0 || along_y <= 0) return std::nullopt;
  const double stretch = along_x * yy / (xx * along_y);
  if (stretch < least || stretch > most) return std::nullopt;
  return stretch;
}

}  // namespace

FramePoint mapped(const Similarity& s, FramePoint p) {
  const double x = s.stretch * p.x;
  return {s.a * x - s.b * p.y + s.tx, s.b * x + s.a * p.y + s.ty};
}

FramePoint unmapped(const Similarity& s, FramePoint p) {
  const double x = p.x - s.tx, y = p.y - s.ty;
  const double scale2 = s.a * s.a + s.b * s.b;
  return {(s.a * x + s.b * y) / (scale2 * s.stretch), (s.a * y - s.b * x) / scale2};
}

double growth_of_area(const Similarity& s) { return (s.a * s.a + s.b * s.b) * s.stretch; }

std::optional<Similarity> fitted(const std::vector<FramePoint>& from, const std::vector<FramePoint>& to,
                                 double stretch) {
  const FramePoint mean_from = centre_of(from), mean_to = centre_of(to);
  double length = 0, along = 0, across = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const FramePoint p{stretch * (from[i].x - mean_from.x), from[i].y - mean_from.y};
    const FramePoint q{to[i].x - mean_to.x, to[i].y - mean_to.y};
    length += p.x * p.x + p.y * p.y;
    along += p.x * q.x + p.y * q.y;
    across += p.x * q.y - p.y * q.x;
  }
  if (length == 0) return std::nullopt;
  Similarity s{along / length, across / length, 0, 0, stretch};
  const FramePoint moved = mapped(s, mean_from);
  s.tx = mean_to.x - moved.x;
  s.ty = mean_to.y - moved.y;
  return s;
}

std::optional<Similarity> refitted(const Similarity& rough, const std::vector<FramePoint>& from,
                                   const std::vector<FramePoint>& to, bool may_stretch) {
  const std::optional<Similarity> turned = fitted(from, to, may_stretch ? rough.stretch : 1);
  if (!may_stretch || !turned) return turned;
  const std::optional<double> stretch = fitted_stretch(*turned, from, to);
  return stretch ? fitted(from, to, *stretch) : std::nullopt;
}

double spread_of(const std::vector<FramePoint>& points_of_b, const Similarity& b_from_a, const FrameSignature& a,
                 const FrameSignature& b) {
  if (points_of_b.size() < 3) return 0;
  const FramePoint mean = centre_of(points_of_b);
  double xx = 0, xy = 0, yy = 0;
  for (const FramePoint& p : points_of_b) {
    xx += (p.x - mean.x) * (p.x - mean.x);
    xy += (p.x - mean.x) * (p.y - mean.y);
    yy += (p.y - mean.y) * (p.y - mean.y);
  }
  // The square root of the determinant of the covariance is the area of an ellipse; of points that fill a rectangle
  // evenly it is a twelfth of the rectangle's area.
  const double area = 12 * std::sqrt(std::max(xx * yy - xy * xy, 0.0)) / static_cast<double>(points_of_b.size());
  const double area_of_a = growth_of_area(b_from_a) * a.width * a.height;
  return std::min(1.0, area / std::min(area_of_a, static_cast<double>(b.width) * b.height));
}

double disagreement(const Similarity& s, const Similarity& t, const FrameSignature& a, const FrameSignature& b) {
  const double side_a = std::sqrt(growth_of_area(s)) * std::max(a.width, a.height);
  const double side_b = std::max(b.width, b.height);
  const bool is_smaller = side_a <= side_b;
  const FrameSignature& small = is_smaller ? a : b;
  double most = 0;
  for (const FramePoint corner : {FramePoint{0, 0}, FramePoint{1.0 * small.width, 0}, FramePoint{0, 1.0 * small.height},
                                  FramePoint{1.0 * small.width, 1.0 * small.height}}) {
    // The corners of b lie in a by s; t must bring them back.
    const FramePoint p = is_smaller ? mapped(s, corner) : corner;
    const FramePoint q = mapped(t, is_smaller ? corner : unmapped(s, corner));
    most = std::max(most, std::sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)));
  }
  return most / (is_smaller ? std::max(side_a, 1.0) : side_b);
}

}  // namespace octavo
