// Projections of a plane or of rays (x right, y down, z forward) onto a canvas (Szeliski, "Image alignment and
// stitching: a tutorial", 2006, §2.3): the plane itself, (x/z, y/z); a cylinder, (atan2(x, z), y/√(x² + z²)); a sphere,
// (longitude, latitude). Pictures are drawn from the canvas backwards, so a canvas that is 360° wide needs no special
// care but for the list of places where a picture is.

#include "mosaic/canvas.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace octavo::mosaic {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double highest = 3.73;             // of a cylinder: the tangent of 75°
constexpr double largest_magnification = 4;  // in length, against the middle of the picture

bool is_round(MosaicProjection projection) {
  return projection == MosaicProjection::cylinder || projection == MosaicProjection::sphere;
}

// The point of the projection that a ray meets.
std::optional<cv::Point2d> point_of(const cv::Vec3d& ray, MosaicProjection projection) {
  if (!is_round(projection)) {
    if (!(ray[2] > 0)) return {};
    return cv::Point2d(ray[0] / ray[2], ray[1] / ray[2]);
  }
  const double across = std::hypot(ray[0], ray[2]), angle = std::atan2(ray[0], ray[2]);
  if (projection == MosaicProjection::sphere) return cv::Point2d(angle, std::atan2(ray[1], across));
  if (!(std::abs(ray[1]) < highest * across)) return {};
  return cv::Point2d(angle, ray[1] / across);
}

}  // namespace

cv::Vec3d Canvas::ray(double x, double y) const {
  const double u = (x + left) / scale, v = (y + top) / scale;
  if (projection == MosaicProjection::cylinder) return {std::sin(u), v, std::cos(u)};
  if (projection == MosaicProjection::sphere)
    return {std::sin(u) * std::cos(v), std::sin(v), std::cos(u) * std::cos(v)};
  return {u, v, 1};
}

Canvas Canvas::scaled(double factor) const {
  // The outer edges of both stay together.
  Canvas other = *this;
  other.scale = scale * factor;
  other.left = (left - 0.5) * factor + 0.5;
  other.top = (top - 0.5) * factor + 0.5;
  other.width = std::max<std::int64_t>(1, std::llround(std::ceil(static_cast<double>(width) * factor)));
  other.height = std::max<std::int64_t>(1, std::llround(std::ceil(static_cast<double>(height) * factor)));
  return other;
}

std::optional<cv::Point2d> Geometry::pixel(const cv::Vec3d& ray) const {
  const cv::Vec3d q = picture_from_frame * ray;
  if (!(q[2] > 0) || q[2] > largest_w) return {};
  cv::Point2d p(q[0] / q[2], q[1] / q[2]);
  if (radial == 0) return p;
  // Newton's method for r·(1 + radial·r²) = u, which begins at u.
  const double unit = std::hypot(size.width, size.height) / 2;
  const cv::Point2d centre((size.width - 1) / 2.0, (size.height - 1) / 2.0);
  const double u = cv::norm(p - centre) / unit;
  if (!(u < 3)) return {};
  double r = u;
  for (int i = 0; i < 6; ++i) {
    const double slope = 1 + 3 * radial * r * r;
    if (!(slope > 0.1)) return {};  // beyond the radius to which the formula holds
    r -= (r * (1 + radial * r * r) - u) / slope;
  }
  return u > 0 ? centre + (p - centre) * (r / u) : p;
}

cv::Vec3d Geometry::ray(const cv::Point2d& at) const {
  cv::Point2d p = at;
  if (radial != 0) {
    const double unit = std::hypot(size.width, size.height) / 2;
    const cv::Point2d centre((size.width - 1) / 2.0, (size.height - 1) / 2.0), d = (at - centre) / unit;
    p = centre + (at - centre) * (1 + radial * d.dot(d));
  }
  return frame_from_picture * cv::Vec3d(p.x, p.y, 1);
}

Geometry Geometry::resized(ImageSize other) const {
  const double sx = static_cast<double>(other.width) / size.width, sy = static_cast<double>(other.height) / size.height;
  const cv::Matx33d smaller(sx, 0, (sx - 1) / 2, 0, sy, (sy - 1) / 2, 0, 0, 1);
  return {frame_from_picture * smaller.inv(), smaller * picture_from_frame, radial, other, largest_w};
}

Geometry geometry_of(const std::array<double, 9>& frame_from_picture, double radial, ImageSize size,
                     MosaicProjection projection) {
  Geometry g;
  const cv::Matx33d frame(frame_from_picture.data());
  const cv::Vec3d middle((size.width - 1) / 2.0, (size.height - 1) / 2.0, 1);
  // The sign and size that give the middle of the picture w = 1.
  cv::Vec3d ray = frame * middle;
  if (!is_round(projection)) ray *= 1 / ray[2];
  const double w = (frame.inv() * ray)[2];
  g.picture_from_frame = frame.inv() * (1 / w);
  g.frame_from_picture = g.picture_from_frame.inv();
  g.radial = radial;
  g.size = size;
  // H scales areas by det(H)/w³, so a limit of the magnification is a limit of w.
  if (!is_round(projection)) g.largest_w = std::pow(largest_magnification, 2.0 / 3);
  return g;
}

std::optional<cv::Rect2d> extent(const Geometry& g, MosaicProjection projection) {
  const auto visible = [&](const cv::Point2d& p) -> std::optional<cv::Point2d> {
    cv::Vec3d ray = g.ray(p);
    if (!is_round(projection)) {
      if (!(ray[2] > 0)) return {};
      ray *= 1 / ray[2];
      if ((g.picture_from_frame * ray)[2] > g.largest_w) return {};
    }
    return point_of(ray, projection);
  };
  const cv::Point2d middle((g.size.width - 1) / 2.0, (g.size.height - 1) / 2.0);
  const std::optional<cv::Point2d> centre = visible(middle);
  double left = 0, right = 0, top = 0, bottom = 0;
  bool any = false;
  constexpr int steps = 128;
  for (int row = 0; row <= steps; ++row) {
    for (int column = 0; column <= steps; ++column) {
      const cv::Point2d p(static_cast<double>(column) / steps * (g.size.width - 1),
                          static_cast<double>(row) / steps * (g.size.height - 1));
      std::optional<cv::Point2d> at = visible(p);
      if (!at) continue;
      if (is_round(projection) && centre) at->x -= turn * std::round((at->x - centre->x) / turn);
      left = any ? std::min(left, at->x) : at->x;
      right = any ? std::max(right, at->x) : at->x;
      top = any ? std::min(top, at->y) : at->y;
      bottom = any ? std::max(bottom, at->y) : at->y;
      any = true;
    }
  }
  if (!any) return {};
  if (is_round(projection)) {
    for (const double pole : {-1.0, 1.0}) {
      const std::optional<cv::Point2d> at = g.pixel({0, pole, 0});
      if (!at || !g.contains(*at)) continue;
      left = -turn / 2;
      right = turn / 2;
      const double edge = projection == MosaicProjection::sphere ? turn / 4 : highest;
      (pole < 0 ? top : bottom) = pole * edge;
    }
  }
  return cv::Rect2d(left, top, right - left, bottom - top);
}

std::vector<cv::Rect> places(const Geometry& geometry, const Canvas& canvas) {
  const std::optional<cv::Rect2d> area = extent(geometry, canvas.projection);
  if (!area) return {};
  const cv::Rect whole(0, 0, static_cast<int>(canvas.width), static_cast<int>(canvas.height));
  std::vector<cv::Rect> list;
  for (const int shift : {-1, 0, 1}) {
    if (shift != 0 && !is_round(canvas.projection)) continue;
    const double x = (area->x + shift * turn) * canvas.scale - canvas.left, y = area->y * canvas.scale - canvas.top;
    const double right = x + area->width * canvas.scale, bottom = y + area->height * canvas.scale;
    if (right < 0 || x > static_cast<double>(canvas.width)) continue;
    // A pixel more on each side: the points above are those of a grid.
    const cv::Point first(static_cast<int>(std::floor(std::max(-1.0, x))) - 1,
                          static_cast<int>(std::floor(std::max(-1.0, y))) - 1);
    const cv::Point last(static_cast<int>(std::ceil(std::min(right, static_cast<double>(canvas.width)))) + 2,
                         static_cast<int>(std::ceil(std::min(bottom, static_cast<double>(canvas.height)))) + 2);
    const cv::Rect place = cv::Rect(first, last) & whole;
    if (!place.empty()) list.push_back(place);
  }
  return list;
}

Canvas canvas_of(const std::vector<Geometry>& pictures, MosaicProjection projection, double scale) {
  double left = 0, right = 0, top = 0, bottom = 0;
  bool any = false;
  for (const Geometry& g : pictures) {
    const std::optional<cv::Rect2d> area = extent(g, projection);
    if (!area) continue;
    left = any ? std::min(left, area->x) : area->x;
    right = any ? std::max(right, area->x + area->width) : area->x + area->width;
    top = any ? std::min(top, area->y) : area->y;
    bottom = any ? std::max(bottom, area->y + area->height) : area->y + area->height;
    any = true;
  }
  if (is_round(projection) && right - left > turn) {
    left = -turn / 2;
    right = turn / 2;
  }
  // The pixels whose centres are at most half a pixel of the canvas outside.
  Canvas canvas{projection, scale, std::round(left * scale), std::round(top * scale), 0, 0};
  canvas.width = std::max<std::int64_t>(1, std::llround(right * scale - canvas.left) + 1);
  canvas.height = std::max<std::int64_t>(1, std::llround(bottom * scale - canvas.top) + 1);
  return canvas;
}

}  // namespace octavo::mosaic
