// Two images as a mosaic. Where B would be drawn much larger than where it overlaps A, close to the horizon, it is
// cut: a few of its pixels would fill the canvas. With w the third homogeneous coordinate, H scales areas by det(H)/w³,
// so the border of what is shown is a straight line, w = constant, in A and in B.

#include "multiview/align/two_images.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "multiview/geometry/visible_part.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

constexpr int longest_side = 32766;  // OpenCV's remap counts pixels in 16 bits

void check(const ImageView& a, const ImageView& b, const std::array<double, 9>& b_from_a) {
  for (const ImageView& image : {a, b}) {
    if (std::max(image.width, image.height) <= longest_side) continue;
    throw Error(ErrorCode::invalid_argument,
                "an image of " + std::to_string(image.width) + " × " + std::to_string(image.height) +
                    " pixels cannot be warped, the longest side is " + std::to_string(longest_side));
  }
  if (std::all_of(b_from_a.begin(), b_from_a.end(), [](double number) { return std::isfinite(number); })) return;
  throw Error(ErrorCode::invalid_argument, "the homography holds a number that is infinite or not a number");
}

// The middle of the part of B in A's frame; A's centre if there is none.
cv::Point2d middle_of_overlap(const cv::Matx33d& h, cv::Size a, cv::Size b) {
  const planes::Polygon overlap = planes::visible_part(h, b, cv::Rect({0, 0}, a));
  if (overlap.empty()) return planes::centre(a);
  return std::accumulate(overlap.begin(), overlap.end(), cv::Point2d()) / static_cast<double>(overlap.size());
}

// The largest canvas.
cv::Rect farthest_frame(cv::Size a, cv::Size b) {
  const int beyond_x = std::min(std::max(a.width, b.width), (longest_side - a.width) / 2);
  const int beyond_y = std::min(std::max(a.height, b.height), (longest_side - a.height) / 2);
  return {-beyond_x, -beyond_y, a.width + 2 * beyond_x, a.height + 2 * beyond_y};
}

// The frame, in A's pixels, that contains A and the part of B that is drawn.
cv::Rect common_frame(cv::Size a, const mosaic::Geometry& b) {
  const cv::Rect farthest = farthest_frame(a, {b.size.width, b.size.height});
  const cv::Matx33d& h = b.image_from_frame;
  const planes::Polygon drawn = planes::clip(planes::visible_part(h, {b.size.width, b.size.height}, farthest),
                                             cv::Matx13d(0, 0, b.largest_w) - h.row(2));
  double left = 0, top = 0, right = a.width - 1, bottom = a.height - 1;
  for (const cv::Point2d& p : drawn) {
    left = std::min(left, p.x);
    top = std::min(top, p.y);
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  // The pixels whose centres are in the polygon.
  const cv::Point first(static_cast<int>(std::ceil(left)), static_cast<int>(std::ceil(top)));
  const cv::Point last(static_cast<int>(std::floor(right)), static_cast<int>(std::floor(bottom)));
  return cv::Rect(first, last + cv::Point(1, 1)) & farthest;
}

}  // namespace

mosaic::Stored shown_pixels(const ImageView& image) {
  return {mosaic::colours_of(image), mosaic::shown_by_alpha(image), full_scale(image.type, {})};
}

TwoImages two_images(const ImageView& a, const ImageView& b, const std::array<double, 9>& b_from_a, CanvasOfTwo what) {
  check(a, b, b_from_a);
  TwoImages two{{}, {shown_pixels(a), shown_pixels(b)}};
  const cv::Size size_a = two.pixels[0].colours.size(), size_b = two.pixels[1].colours.size();
  const cv::Matx33d h = planes::oriented(b_from_a, planes::centre(size_a));
  std::vector<mosaic::Geometry> geometry{
      mosaic::geometry_on_plane(cv::Matx33d::eye(), {size_a.width, size_a.height}, planes::centre(size_a)),
      mosaic::geometry_on_plane(h, {size_b.width, size_b.height}, middle_of_overlap(h, size_a, size_b))};
  const cv::Rect frame = what == CanvasOfTwo::both ? common_frame(size_a, geometry[1]) : cv::Rect({0, 0}, size_a);
  const mosaic::Canvas canvas{MosaicProjection::plane, 1, 1.0 * frame.x, 1.0 * frame.y, frame.width, frame.height};
  for (std::size_t i = 0; i < two.pixels.size(); ++i) {
    MosaicImage image;
    image.size = geometry[i].size;
    image.status = MosaicImageStatus::placed;
    image.scale = two.pixels[i].scale;
    two.plan.images.push_back(image);
    geometry[i] = geometry[i].resized(size_to_draw(geometry[i], canvas));
    two.pixels[i] = two.pixels[i].resized(geometry[i].size);
  }
  two.plan.depth = std::max(a.type, b.type);
  two.plan.values = full_scale(two.plan.depth, {});
  two.plan.width = static_cast<std::uint64_t>(frame.width);
  two.plan.height = static_cast<std::uint64_t>(frame.height);
  auto details = std::make_shared<MosaicPlan::Details>();
  details->options.bands = 0;
  details->geometry = std::move(geometry);
  details->canvas = canvas;
  two.plan.details = std::move(details);
  return two;
}

std::vector<mosaic::Layer> layers_of_two(const TwoImages& two, const cv::Rect& area) {
  std::vector<mosaic::Layer> layers;
  for (int i = 0; i < 2; ++i) {
    mosaic::Layer layer{
        i,
        {{0, 0}, area.size()},
        look_up(two.plan.details->geometry[static_cast<std::size_t>(i)], two.plan.details->canvas, area),
        {},
        {}};
    if (layer.lookup.inside.empty()) continue;
    leave_holes(layer.lookup, two.pixels[static_cast<std::size_t>(i)].shown);
    layer.lookup.inside.convertTo(layer.mask, CV_32F, 1.0 / 255);
    layers.push_back(std::move(layer));
  }
  return layers;
}

Image draw(const TwoImages& two, const mosaic::LayersOf& layers_of, const ProgressSink& progress) {
  return mosaic::joined(two.plan, [&](const MosaicSink& sink) {
    draw_blocks(
        two.plan, [&](int image) { return two.pixels[static_cast<std::size_t>(image)]; }, layers_of, sink, progress);
  });
}

}  // namespace octavo
