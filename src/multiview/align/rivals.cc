#include "multiview/align/rivals.h"

#include <algorithm>

#include "multiview/geometry/coarse_homography.h"
#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/other_places.h"
#include "multiview/mosaic/warp.h"

namespace octavo {

bool is_rival(const Fit& own, const Fit& other, const Meeting& meeting, double threshold) {
  // Of the inliers of the homography itself. Another place of a grid with digits has a third, and of a building that is
  // right a tenth; a guess between them.
  constexpr double least_share = 0.25;
  constexpr double far = 5;  // [threshold] as for a second motion
  if (other.inliers < least_share * own.inliers) return false;
  const cv::Point2d middle = planes::middle_of(meeting.drawn_part),
                    there = planes::mapped(cv::Matx33d(other.b_from_a.data()), middle).place;
  return coarse_error(cv::Matx33d(own.b_from_a.data()), {middle.x, middle.y}, {there.x, there.y}) > far * threshold;
}

std::vector<std::array<double, 9>> periods_away(const TwoViews& views, const Meeting& meeting) {
  constexpr double most_pixels = 1e5;  // the shifts are those of smaller copies yet
  const mosaic::GreyImage a = mosaic::grey_image(mosaic::colours_of(views.image_a), most_pixels);
  const mosaic::GreyImage b = mosaic::grey_image(mosaic::colours_of(views.image_b), most_pixels);
  std::vector<std::array<double, 9>> others;
  for (const cv::Point2d& shift : mosaic::other_places(a, b, meeting.to_from)) {
    const cv::Matx33d h = meeting.to_from * cv::Matx33d(1, 0, shift.x, 0, 1, shift.y, 0, 0, 1);
    std::copy_n(h.val, 9, others.emplace_back().begin());
  }
  return others;
}

}  // namespace octavo
