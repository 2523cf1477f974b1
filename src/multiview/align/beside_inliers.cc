#include "multiview/align/beside_inliers.h"

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "multiview/align/supported_inliers.h"
#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/warp.h"

namespace octavo {

namespace {

using Hull = std::vector<cv::Point2f>;

Hull hull_of(const std::vector<Point>& places) {
  Hull points, hull;
  for (const Point& p : places) points.emplace_back(static_cast<float>(p.x), static_cast<float>(p.y));
  cv::convexHull(points, hull);
  return hull;
}

// Of the first image's patches beside a hull that have structure and that the second should show, and how many of them
// look alike there. Beside no hull are all.
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
    return !hull.empty() && cv::pointPolygonTest(hull, at, true) > -margin * pixel;
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

// Of both images beside their hulls: where one is smooth the other tells alone. None where one is so much smaller that
// patches cannot be compared.
Compared compared(const TwoViews& views, const Meeting& meeting, const Hull& hull_a, const Hull& hull_b,
                  double threshold) {
  constexpr double most_scale = 3;     // pixels of one image that are as long as one of the other, at most; a guess
  constexpr double most_pixels = 2e6;  // it bounds the time, as in mosaics (read_images.cc)
  cv::Matx21d scales;
  cv::SVD::compute(planes::local_affinity(meeting.to_from, planes::middle_of(meeting.drawn_part)), scales);
  if (scales(0) > most_scale || scales(1) < 1 / most_scale) return {};
  const mosaic::GreyImage a = mosaic::grey_image(mosaic::colours_of(views.image_a), most_pixels),
                          b = mosaic::grey_image(mosaic::colours_of(views.image_b), most_pixels);
  const Compared in_a = compared(a, b, meeting.to_from, hull_a, threshold),
                 in_b = compared(b, a, meeting.to_from.inv(), hull_b, threshold);
  return {in_a.tried + in_b.tried, in_a.agree + in_b.agree};
}

double share_of(const Hull& hull, const Meeting& meeting) {
  return cv::contourArea(hull) / planes::area_of(meeting.drawn_part);
}

bool overlap_little(const Meeting& meeting, const TwoViews& views) {
  constexpr double little = 0.4;  // of both images; a guess
  const ImageView &a = views.image_a, &b = views.image_b;
  return planes::area_of(meeting.drawn_part) < little * a.width * a.height &&
         planes::area_of(meeting.other_part) < little * b.width * b.height;
}

// Where images overlap little, some matches of a retry agree by chance all over that: they do not count.
PointPairs inliers_of(const Alignment& found, const ImageView& a, bool is_little) {
  return marked_pairs(
      found, found.retried && is_little ? supported_inliers(found, {a.width, a.height}) : found.homography.inliers);
}

}  // namespace

bool differ_beside_inliers(const TwoViews& views, const Alignment& found, double threshold) {
  // The hull's share of the overlap: scenes that share a poster have up to 0.26, a flower before grass 0.35. Where a
  // poster stands at different sides of the images, these overlap little, and it fills more of that. Then the patches
  // that tell something, as for watermarks, and the share of them that agree. Guesses.
  constexpr double most_share = 0.3, most_share_of_little = 0.6, least_agreement = 0.2;
  constexpr int fewest = 16;
  const Meeting meeting = meeting_of(cv::Matx33d(found.homography.b_from_a.data()), views.image_a, views.image_b);
  if (meeting.drawn_part.empty()) return false;
  const bool is_little = overlap_little(meeting, views);
  const PointPairs inliers = inliers_of(found, views.image_a, is_little);
  if (inliers.a.size() < 3) return false;
  const Hull hull_a = hull_of(inliers.a), hull_b = hull_of(inliers.b);
  if (hull_a.size() < 3 || hull_b.size() < 3) return false;
  if (share_of(hull_a, meeting) > (is_little ? most_share_of_little : most_share)) return false;
  const Compared beside = compared(views, meeting, hull_a, hull_b, threshold);
  return beside.tried >= fewest && beside.agree < least_agreement * beside.tried;
}

bool differ_mostly(const TwoViews& views, const Alignment& found, double threshold) {
  // Fewer inliers, or a smaller hull of them, tell little against pixels. Right pairs whose pixels agree nowhere, by
  // another camera or seen from aside, have 186 inliers and more in 0.5 of the overlap and more; two dialogs of one
  // program, neighbouring slices of a head and rooms with one box 27 to 151 in 0.3 to 0.45, or 52 in 0.5. Then the
  // patches that tell something and the share of them that agree: right pairs with so few inliers have 0.45 and more.
  constexpr std::size_t many = 100;
  constexpr double most_share = 0.45, least_agreement = 0.25;
  constexpr int fewest = 60;
  const Meeting meeting = meeting_of(cv::Matx33d(found.homography.b_from_a.data()), views.image_a, views.image_b);
  if (meeting.drawn_part.empty()) return false;
  const PointPairs inliers = marked_pairs(found, found.homography.inliers);
  if (inliers.a.size() >= many && share_of(hull_of(inliers.a), meeting) > most_share) return false;
  const Compared all = compared(views, meeting, {}, {}, threshold);
  return all.tried >= fewest && all.agree < least_agreement * all.tried;
}

}  // namespace octavo
