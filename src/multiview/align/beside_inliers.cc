#include "multiview/align/beside_inliers.h"

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/warp.h"

namespace octavo {

namespace {

using Hull = std::vector<cv::Point2f>;

Hull hull_of_inliers(const Alignment& found, bool in_a) {
  Hull points, hull;
  const PointPairs pairs = point_pairs(found.a, found.b, found.matches);
  const std::vector<Point>& places = in_a ? pairs.a : pairs.b;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (found.homography.inliers[i] == 0) continue;
    points.emplace_back(static_cast<float>(places[i].x), static_cast<float>(places[i].y));
  }
  cv::convexHull(points, hull);
  return hull;
}

// Of the first image's patches beside its inliers those that have structure and that the second should show, and how
// many of them look alike there.
struct Compared {
  int tried = 0, agree = 0;
};

Compared compared(const mosaic::GreyImage& first, const mosaic::GreyImage& second, const cv::Matx33d& second_from_first,
                  const Hull& hull, double threshold) {
  constexpr int margin = 24;  // [pixel of level 0] a patch and a little more
  const double pixel = static_cast<double>(first.size.width) / first.levels[0].cols;
  mosaic::GreyImage beside = first;
  std::erase_if(beside.patches, [&](const cv::Point& patch) {
    const cv::Point2f at(first.pixel_from_level(patch));
    return cv::pointPolygonTest(hull, at, true) > -margin * pixel;
  });
  const mosaic::PixelMap map = mosaic::map_of(second_from_first, second.size);
  const mosaic::IntensityMatches matches = mosaic::match_intensities(0, 1, beside, second, map);
  const cv::Matx33d pixel_of_first = mosaic::normalised_from_pixel(first.size).inv(),
                    pixel_of_second = mosaic::normalised_from_pixel(second.size).inv();
  Compared result{.tried = matches.tried};
  for (std::size_t i = 0; i < matches.points.in_a.size(); ++i) {
    const auto there = map(planes::mapped(pixel_of_first, matches.points.in_a[i]).place);
    const cv::Point2d found = planes::mapped(pixel_of_second, matches.points.in_b[i]).place;
    if (there && cv::norm(*there - found) <= threshold) ++result.agree;
  }
  return result;
}

}  // namespace

bool differ_beside_inliers(const TwoViews& views, const Alignment& found, double threshold) {
  // The hull's share of the overlap: scenes that share a poster have up to 0.26, a scene with a foreground 0.35. Then
  // how many pixels of one image are as long as one of the other, at most: beyond, patches are not compared. The
  // patches that tell something, as for watermarks, and the share of them that agree. Guesses.
  constexpr double most_share = 0.3, most_scale = 3, least_agreement = 0.2;
  constexpr int fewest = 16;
  constexpr double most_pixels = 2e6;  // it bounds the time, as in mosaics (read_images.cc)
  const Meeting meeting = meeting_of(cv::Matx33d(found.homography.b_from_a.data()), views.image_a, views.image_b);
  if (meeting.drawn_part.empty()) return false;
  const Hull hull_a = hull_of_inliers(found, true), hull_b = hull_of_inliers(found, false);
  if (hull_a.size() < 3 || hull_b.size() < 3) return false;
  const Hull overlap(meeting.drawn_part.begin(), meeting.drawn_part.end());
  if (cv::contourArea(hull_a) > most_share * cv::contourArea(overlap)) return false;
  cv::Matx21d scales;
  cv::SVD::compute(planes::local_affinity(meeting.to_from, planes::middle_of(meeting.drawn_part)), scales);
  if (scales(0) > most_scale || scales(1) < 1 / most_scale) return false;
  const mosaic::GreyImage a = mosaic::grey_image(mosaic::colours_of(views.image_a), most_pixels),
                          b = mosaic::grey_image(mosaic::colours_of(views.image_b), most_pixels);
  // Where one image is smooth the other tells alone.
  const Compared in_a = compared(a, b, meeting.to_from, hull_a, threshold),
                 in_b = compared(b, a, meeting.to_from.inv(), hull_b, threshold);
  const int tried = in_a.tried + in_b.tried;
  return tried >= fewest && in_a.agree + in_b.agree < least_agreement * tried;
}

}  // namespace octavo
