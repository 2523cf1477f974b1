// What of B is visible in A's plane. The homography H = b_from_a is homogeneous: (u, v, w) = H·(x, y, 1), and the point
// of B is (u/w, v/w).
//
// The points of B that are visible have w > 0 (in front of the camera) and −1/2 ≤ u/w ≤ width − 1/2, likewise v.
// Multiplied by w these are five half planes, linear in x and y. So the visible part of any frame is a convex polygon,
// found by clipping. No corner moves to infinity, and B does not appear a second time behind the horizon.

#include "multiview/geometry/visible_part.h"

#include <cmath>

namespace octavo::planes {

cv::Matx33d oriented(const std::array<double, 9>& b_from_a, cv::Point2d in_front) {
  const cv::Matx33d h(b_from_a.data());
  return (h * cv::Vec3d(in_front.x, in_front.y, 1))[2] < 0 ? -1.0 * h : h;
}

cv::Point2d centre(cv::Size size) { return {(size.width - 1) / 2.0, (size.height - 1) / 2.0}; }

// Sutherland and Hodgman, 1974.
Polygon clip(const Polygon& polygon, const cv::Matx13d& n) {
  const auto side = [&](const cv::Point2d& p) { return n(0) * p.x + n(1) * p.y + n(2); };
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const cv::Point2d& p = polygon[i];
    const cv::Point2d& q = polygon[(i + 1) % polygon.size()];
    const double at_p = side(p), at_q = side(q);
    if (at_p >= 0) kept.push_back(p);
    if ((at_p < 0) != (at_q < 0)) kept.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return kept;
}

Polygon visible_part(const cv::Matx33d& h, cv::Size b, const cv::Rect& frame) {
  const double left = frame.x - 0.5, top = frame.y - 0.5;
  const double right = left + frame.width, bottom = top + frame.height;
  const cv::Matx13d u = h.row(0), v = h.row(1), w = h.row(2);
  Polygon polygon{{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  for (const cv::Matx13d& half_plane :
       {w, u + 0.5 * w, (b.width - 0.5) * w - u, v + 0.5 * w, (b.height - 0.5) * w - v}) {
    polygon = clip(polygon, half_plane);
  }
  return polygon;
}

Mapped mapped(const cv::Matx33d& h, const cv::Point2d& a) {
  const cv::Vec3d q = h * cv::Vec3d(a.x, a.y, 1);
  return {{q[0] / q[2], q[1] / q[2]}, q[2]};
}

cv::Matx22d local_affinity(const cv::Matx33d& h, const cv::Point2d& p) {
  const auto [q, w] = mapped(h, p);
  return {(h(0, 0) - q.x * h(2, 0)) / w, (h(0, 1) - q.x * h(2, 1)) / w, (h(1, 0) - q.y * h(2, 0)) / w,
          (h(1, 1) - q.y * h(2, 1)) / w};
}

cv::Matx33d normalising(const std::vector<cv::Point2d>& points) {
  const cv::Point2d mean = middle_of(points);
  double distance = 0;
  for (const cv::Point2d& p : points) distance += cv::norm(p - mean);
  const double scale = std::sqrt(2.0) * static_cast<double>(points.size()) / std::max(distance, 1e-9);
  return {scale, 0, -scale * mean.x, 0, scale, -scale * mean.y, 0, 0, 1};
}

double area_of(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) twice += polygon[i].cross(polygon[(i + 1) % polygon.size()]);
  return std::abs(twice) / 2;
}

cv::Point2d middle_of(const Polygon& polygon) {
  cv::Point2d middle;
  for (const cv::Point2d& p : polygon) middle += p;
  return middle / static_cast<double>(polygon.size());
}

}  // namespace octavo::planes
