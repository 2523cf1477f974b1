// Projections of a plane or of rays (x right, y down, z forward) onto a surface. φ is the longitude, atan2(x, z), and
// t = y/√(x² + z²) the tangent of the latitude (Szeliski, "Image alignment and stitching: a tutorial", 2006, §2.3):
//   plane          (x/z, y/z)
//   cylinder       (φ, t)
//   sphere         (φ, atan t)
//   pannini        (S·sin φ, S·t) with S = 2/(1 + cos φ): a cylinder seen from its far side. Vertical lines stay
//                  straight, and lines through the centre (Sharpless, Postle & German, "Pannini: a new projection for
//                  rendering wide angle perspective images", CAe 2010; its d is 1).
//   stereographic  2·(x, y)/(|ray| + z): a sphere seen from its far end, at 2·tan(θ/2) from the centre for the angle θ.
//                  Angles stay as they are.

#include "multiview/mosaic/projection.h"

#include <cmath>

namespace octavo::mosaic {
namespace {

// Guesses of what looks well, which bound the canvas: most are endless at 180° or 360°. A plane draws the ends of 150°
// 3.9 times as high as its middle, a Pannini projection those of 240° 4 times.
constexpr double widest_plane = 150 * degrees, widest_pannini = 240 * degrees, widest_disc = 300 * degrees;
// The end of a cylinder, above and below, in its radii: the tangent of 75°, so that it is 150° high at most.
constexpr double highest = 3.73;

}  // namespace

bool needs_turning_camera(MosaicProjection projection) {
  return projection != MosaicProjection::automatic && projection != MosaicProjection::plane;
}

bool is_round(MosaicProjection projection) {
  return projection == MosaicProjection::cylinder || projection == MosaicProjection::sphere;
}

double widest(MosaicProjection projection) {
  if (projection == MosaicProjection::plane) return widest_plane;
  return projection == MosaicProjection::pannini ? widest_pannini : 360 * degrees;
}

Ends ends_of(MosaicProjection projection) {
  switch (projection) {
    case MosaicProjection::cylinder:
      return {180 * degrees, highest};
    case MosaicProjection::sphere:
      return {180 * degrees, 90 * degrees};
    case MosaicProjection::pannini:
      return {2 * std::tan(widest_pannini / 4), highest};
    case MosaicProjection::stereographic:
      return {2 * std::tan(widest_disc / 4), 2 * std::tan(widest_disc / 4), true};
    default:
      return {HUGE_VAL, HUGE_VAL};
  }
}

std::optional<cv::Point2d> point_of(const cv::Vec3d& ray, MosaicProjection projection) {
  const double across = std::hypot(ray[0], ray[2]), longitude = std::atan2(ray[0], ray[2]);
  const Ends ends = ends_of(projection);
  cv::Point2d point;
  switch (projection) {
    case MosaicProjection::cylinder:
      point = {longitude, ray[1] / across};
      break;
    case MosaicProjection::sphere:
      return cv::Point2d(longitude, std::atan2(ray[1], across));
    case MosaicProjection::pannini: {
      const double stretch = 2 / (across + ray[2]);
      point = {stretch * ray[0], stretch * ray[1]};
      break;
    }
    case MosaicProjection::stereographic: {
      const double stretch = 2 / (cv::norm(ray) + ray[2]);
      point = {stretch * ray[0], stretch * ray[1]};
      if (!(std::hypot(point.x, point.y) < ends.x)) return {};
      break;
    }
    default:
      if (!(ray[2] > 0)) return {};
      return cv::Point2d(ray[0] / ray[2], ray[1] / ray[2]);
  }
  const bool is_within = std::abs(point.x) <= ends.x && std::abs(point.y) < ends.y;  // false for NaN
  return is_within ? std::optional(point) : std::nullopt;
}

cv::Vec3d ray_of(const cv::Point2d& point, MosaicProjection projection) {
  const auto [x, y] = point;
  switch (projection) {
    case MosaicProjection::cylinder:
      return {std::sin(x), y, std::cos(x)};
    case MosaicProjection::sphere:
      return {std::sin(x) * std::cos(y), std::sin(y), std::cos(x) * std::cos(y)};
    case MosaicProjection::pannini: {
      const double stretch = 1 + x * x / 4;  // x = 2·tan(φ/2)
      return {x / stretch, y / stretch, (1 - x * x / 4) / stretch};
    }
    case MosaicProjection::stereographic:
      return {x, y, 1 - (x * x + y * y) / 4};
    default:
      return {x, y, 1};
  }
}

}  // namespace octavo::mosaic
