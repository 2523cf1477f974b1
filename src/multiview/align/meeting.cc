#include "multiview/align/meeting.h"

namespace octavo {

Meeting meeting_of(const cv::Matx33d& b_from_a, const ImageView& a, const ImageView& b) {
  // The middle of what is visible decides in front of which side of the horizon A lies.
  for (const double sign : {1.0, -1.0}) {
    const cv::Matx33d h = sign * b_from_a;
    const planes::Polygon in_a = planes::visible_part(h, {b.width, b.height}, cv::Rect(0, 0, a.width, a.height));
    if (in_a.size() < 3 || !(cv::determinant(h) > 0)) continue;
    planes::Polygon in_b;
    for (const cv::Point2d& p : in_a) in_b.push_back(planes::mapped(h, p).place);
    return {h, in_a, in_b};
  }
  return {};
}

}  // namespace octavo
