// Images are drawn from the canvas backwards, so a canvas that is 360° wide needs no special care but for the list of
// places where an image is.

#include "multiview/mosaic/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/projection.h"
#include "multiview/mosaic/radial.h"

namespace octavo::mosaic {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;  // [radian]
// How many times as large, in length, an image may be drawn on a plane as in its middle. It bounds the canvas, as a
// few pixels would fill it near the horizon; a guess.
constexpr double largest_magnification = 4;

// The point of the projection at which a pixel of an image is drawn.
std::optional<cv::Point2d> drawn_at(const Geometry& g, const cv::Point2d& p, MosaicProjection projection) {
  const cv::Vec3d ray = g.ray(p);
  const std::optional<cv::Point2d> at = point_of(ray, projection);
  const bool is_near_enough = std::isinf(g.largest_w) || (g.image_from_frame * ray)[2] <= g.largest_w * ray[2];
  return is_near_enough ? at : std::nullopt;
}

// The extent on a plane of an image without distortion. For a point of the plane, image_from_frame·(x, y, 1) is
// w·(u, v, 1), with (u, v) its pixel. So frame_from_image·(u, v, 1) is (x, y, 1)/w, and the pixels with w ≤ largest_w
// are a half plane of the image.
std::optional<cv::Rect2d> extent_on_plane(const Geometry& g) {
  const double right = g.size.width - 1, bottom = g.size.height - 1;
  const cv::Matx13d near_enough = g.frame_from_image.row(2) - cv::Matx13d(0, 0, 1 / g.largest_w);
  const planes::Polygon shown = planes::clip({{0, 0}, {right, 0}, {right, bottom}, {0, bottom}}, near_enough);
  if (shown.empty()) return {};
  const cv::Point2d first = planes::mapped(g.frame_from_image, shown.front()).place;
  cv::Point2d low = first, high = first;
  for (const cv::Point2d& p : shown) {
    const cv::Point2d at = planes::mapped(g.frame_from_image, p).place;
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  return cv::Rect2d(low.x, low.y, high.x - low.x, high.y - low.y);
}

}  // namespace

cv::Vec3d Canvas::ray(double x, double y) const { return ray_of({(x + left) / scale, (y + top) / scale}, projection); }

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
  const cv::Vec3d q = image_from_frame * ray;
  if (!(q[2] > 0) || q[2] > largest_w) return {};
  const cv::Point2d drawn(q[0] / q[2], q[1] / q[2]);
  if (radial == 0) return drawn;
  const double unit = std::hypot(size.width, size.height) / 2;
  const cv::Point2d centre((size.width - 1) / 2.0, (size.height - 1) / 2.0);
  const std::optional<cv::Point2d> p = distorted((drawn - centre) / unit, radial);
  if (!p) return {};
  return centre + *p * unit;
}

cv::Vec3d Geometry::ray(const cv::Point2d& at) const {
  cv::Point2d p = at;
  if (radial != 0) {
    const double unit = std::hypot(size.width, size.height) / 2;
    const cv::Point2d centre((size.width - 1) / 2.0, (size.height - 1) / 2.0);
    p = centre + undistorted((at - centre) / unit, radial) * unit;
  }
  return frame_from_image * cv::Vec3d(p.x, p.y, 1);
}

Geometry Geometry::resized(ImageSize other) const {
  const double sx = static_cast<double>(other.width) / size.width, sy = static_cast<double>(other.height) / size.height;
  const cv::Matx33d smaller(sx, 0, (sx - 1) / 2, 0, sy, (sy - 1) / 2, 0, 0, 1);
  return {frame_from_image * smaller.inv(), smaller * image_from_frame, radial, other, largest_w};
}

Geometry geometry_of(const std::array<double, 9>& frame_from_image, double radial, ImageSize size,
                     MosaicProjection projection) {
  const cv::Matx33d frame(frame_from_image.data());
  cv::Vec3d ray = frame * cv::Vec3d((size.width - 1) / 2.0, (size.height - 1) / 2.0, 1);
  Geometry g;
  if (needs_turning_camera(projection)) {
    const double w = (frame.inv() * ray)[2];
    g.image_from_frame = frame.inv() * (1 / w);
    g.frame_from_image = g.image_from_frame.inv();
    g.size = size;
  } else {
    g = geometry_on_plane(frame.inv(), size, {ray[0] / ray[2], ray[1] / ray[2]});
  }
  g.radial = radial;
  return g;
}

Geometry geometry_on_plane(const cv::Matx33d& image_from_plane, ImageSize size, const cv::Point2d& middle) {
  Geometry g;
  g.image_from_frame = image_from_plane * (1 / planes::mapped(image_from_plane, middle).w);
  g.frame_from_image = g.image_from_frame.inv();
  g.size = size;
  // H scales areas by det(H)/w³, so a limit of the magnification is a limit of w.
  g.largest_w = std::pow(largest_magnification, 2.0 / 3);
  return g;
}

double pixels_on_one(const Geometry& g, const Canvas& canvas) {
  // The areas that pixels of the image have on the canvas.
  std::vector<double> areas;
  constexpr int steps = 8;  // of the grid of pixels over each side, for a median; not tuned
  for (int row = 0; row <= steps; ++row) {
    for (int column = 0; column <= steps; ++column) {
      const cv::Point2d p(static_cast<double>(column) / steps * (g.size.width - 1),
                          static_cast<double>(row) / steps * (g.size.height - 1));
      const auto at = drawn_at(g, p, canvas.projection), right = drawn_at(g, p + cv::Point2d(1, 0), canvas.projection),
                 below = drawn_at(g, p + cv::Point2d(0, 1), canvas.projection);
      if (at && right && below)
        areas.push_back(std::abs((*right - *at).cross(*below - *at)) * canvas.scale * canvas.scale);
    }
  }
  if (areas.empty()) return 1;
  std::nth_element(areas.begin(), areas.begin() + std::ssize(areas) / 2, areas.end());
  return 1 / std::sqrt(areas[areas.size() / 2]);
}

ImageSize size_to_draw(const Geometry& g, const Canvas& canvas) {
  const double pixels = pixels_on_one(g, canvas) + 1e-6;
  if (!(pixels >= 2)) return g.size;
  const double factor = std::floor(std::min(pixels, 1.0 * std::max(g.size.width, g.size.height)));
  return {std::max(1, static_cast<int>(g.size.width / factor)), std::max(1, static_cast<int>(g.size.height / factor))};
}

namespace {

// The last pixel on the way from one that is drawn to one that is not: where the projection ends.
cv::Point2d last_drawn(const Geometry& g, cv::Point2d drawn, cv::Point2d beyond, MosaicProjection projection) {
  constexpr double close = 1e-3;  // [pixel]
  while (cv::norm(beyond - drawn) > close) {
    const cv::Point2d middle = (drawn + beyond) / 2;
    (drawn_at(g, middle, projection) ? drawn : beyond) = middle;
  }
  return drawn;
}

// Pixels of an image among which are those that are drawn outermost: all of its border, and where the projection ends.
std::vector<cv::Point2d> outermost(const Geometry& g, MosaicProjection projection) {
  constexpr int steps = 128;  // of the grid of pixels over each side, between which its end is straight; not tuned
  const double right = g.size.width - 1, bottom = g.size.height - 1;
  std::vector<cv::Point2d> list;
  for (int x = 0; x < g.size.width; ++x) list.insert(list.end(), {cv::Point2d(x, 0), cv::Point2d(x, bottom)});
  for (int y = 0; y < g.size.height; ++y) list.insert(list.end(), {cv::Point2d(0, y), cv::Point2d(right, y)});
  const auto pixel = [&](int column, int row) { return cv::Point2d(right * column / steps, bottom * row / steps); };
  std::array<std::array<bool, steps + 1>, steps + 1> drawn{};
  const auto add_end = [&](int column, int row, int next_column, int next_row) {
    const auto at = [](int k) { return static_cast<std::size_t>(k); };
    const bool is_drawn = drawn[at(row)][at(column)];
    if (is_drawn == drawn[at(next_row)][at(next_column)]) return;
    const cv::Point2d p = pixel(column, row), next = pixel(next_column, next_row);
    list.push_back(is_drawn ? last_drawn(g, p, next, projection) : last_drawn(g, next, p, projection));
  };
  for (int row = 0; row <= steps; ++row) {
    for (int column = 0; column <= steps; ++column) {
      drawn[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          drawn_at(g, pixel(column, row), projection).has_value();
      if (column > 0) add_end(column - 1, row, column, row);
      if (row > 0) add_end(column, row - 1, column, row);
    }
  }
  return list;
}

struct Sides {
  double left, right, top, bottom;
};

// An image that shows a pole reaches all around, and to the edge that the pole becomes; one that shows the outermost
// point of a disc reaches to it.
void reach_ends(const Geometry& g, MosaicProjection projection, Sides& sides) {
  const Ends ends = ends_of(projection);
  const auto shows = [&](const cv::Vec3d& ray) {
    const std::optional<cv::Point2d> at = g.pixel(ray);
    return at && g.contains(*at);
  };
  for (const double sign : {-1.0, 1.0}) {
    double &across = sign < 0 ? sides.left : sides.right, &up = sign < 0 ? sides.top : sides.bottom;
    if (is_round(projection) && shows({0, sign, 0})) {
      sides.left = -ends.x;
      sides.right = ends.x;
      up = sign * ends.y;
    }
    if (!ends.is_disc) continue;
    if (shows(ray_of({sign * ends.x, 0}, projection))) across = sign * ends.x;
    if (shows(ray_of({0, sign * ends.y}, projection))) up = sign * ends.y;
  }
}

}  // namespace

std::optional<cv::Rect2d> extent(const Geometry& g, MosaicProjection projection) {
  if (!needs_turning_camera(projection) && g.radial == 0) return extent_on_plane(g);
  const cv::Point2d middle((g.size.width - 1) / 2.0, (g.size.height - 1) / 2.0);
  const std::optional<cv::Point2d> centre = drawn_at(g, middle, projection);
  std::vector<cv::Point2d> outline;
  for (const cv::Point2d& p : outermost(g, projection)) {
    std::optional<cv::Point2d> at = drawn_at(g, p, projection);
    if (!at) continue;
    if (is_round(projection) && centre) at->x -= full_turn * std::round((at->x - centre->x) / full_turn);
    outline.push_back(*at);
  }
  if (outline.empty()) return {};
  const auto [left, right] = std::ranges::minmax(outline, {}, &cv::Point2d::x);
  const auto [top, bottom] = std::ranges::minmax(outline, {}, &cv::Point2d::y);
  Sides sides{left.x, right.x, top.y, bottom.y};
  reach_ends(g, projection, sides);
  return cv::Rect2d(sides.left, sides.top, sides.right - sides.left, sides.bottom - sides.top);
}

std::vector<cv::Rect> places(const Geometry& geometry, const Canvas& canvas) {
  const std::optional<cv::Rect2d> area = extent(geometry, canvas.projection);
  if (!area) return {};
  const cv::Rect whole(0, 0, static_cast<int>(canvas.width), static_cast<int>(canvas.height));
  std::vector<cv::Rect> list;
  for (const int shift : {-1, 0, 1}) {
    if (shift != 0 && !is_round(canvas.projection)) continue;
    const double x = (area->x + shift * full_turn) * canvas.scale - canvas.left,
                 y = area->y * canvas.scale - canvas.top;
    const double right = x + area->width * canvas.scale, bottom = y + area->height * canvas.scale;
    if (right < 0 || x > static_cast<double>(canvas.width)) continue;
    // A pixel more on each side, for what is less than a pixel outside.
    const cv::Point first(static_cast<int>(std::floor(std::max(-1.0, x))) - 1,
                          static_cast<int>(std::floor(std::max(-1.0, y))) - 1);
    const cv::Point last(static_cast<int>(std::ceil(std::min(right, static_cast<double>(canvas.width)))) + 2,
                         static_cast<int>(std::ceil(std::min(bottom, static_cast<double>(canvas.height)))) + 2);
    const cv::Rect place = cv::Rect(first, last) & whole;
    if (!place.empty()) list.push_back(place);
  }
  return list;
}

namespace {

// The ends of a whole turn meet if it is a whole number of columns: the scale changes by a few parts of a thousand at
// most. A sphere from pole to pole is half as high as wide, as programs that show panoramas expect.
Canvas whole_turn(MosaicProjection projection, double scale, double top, double bottom) {
  const double quarter = std::max(1.0, std::round(full_turn / 4 * scale)), exact = 4 * quarter / full_turn;
  double first = std::floor(top * exact), end = std::ceil(bottom * exact);
  if (projection == MosaicProjection::sphere) first = std::max(first, -quarter), end = std::min(end, quarter);
  return {projection,
          exact,
          0.5 - 2 * quarter,
          first + 0.5,
          std::llround(4 * quarter),
          std::max<std::int64_t>(1, std::llround(end - first))};
}

}  // namespace

Canvas canvas_of(const std::vector<Geometry>& images, MosaicProjection projection, double scale) {
  double left = 0, right = 0, top = 0, bottom = 0;
  bool any = false;
  for (const Geometry& g : images) {
    const std::optional<cv::Rect2d> area = extent(g, projection);
    if (!area) continue;
    left = any ? std::min(left, area->x) : area->x;
    right = any ? std::max(right, area->x + area->width) : area->x + area->width;
    top = any ? std::min(top, area->y) : area->y;
    bottom = any ? std::max(bottom, area->y + area->height) : area->y + area->height;
    any = true;
  }
  if (is_round(projection) && right - left >= full_turn) return whole_turn(projection, scale, top, bottom);
  // The pixels whose centres are at most half a pixel of the canvas outside.
  Canvas canvas{projection, scale, std::round(left * scale), std::round(top * scale), 0, 0};
  canvas.width = std::max<std::int64_t>(1, std::llround(right * scale - canvas.left) + 1);
  canvas.height = std::max<std::int64_t>(1, std::llround(bottom * scale - canvas.top) + 1);
  return canvas;
}

}  // namespace octavo::mosaic
