#include "multiview/align/common_frame.h"

namespace octavo {

std::optional<CommonFrame> common_frame(const cv::Matx33d& b_from_a, const planes::Polygon& part_of_a) {
  constexpr double alike = 1.25;  // pixels of one in a pixel of the other: below it no frame is finer; a guess
  // Along the rows of `axes`, in A, a pixel of A is as long as so many pixels of B.
  cv::Matx21d pixels;
  cv::Matx22d in_b, axes;
  cv::SVD::compute(planes::local_affinity(b_from_a, planes::middle_of(part_of_a)), pixels, in_b, axes);
  if (pixels(0) < alike || pixels(1) > 1 / alike) return {};
  const cv::Matx22d m = axes.t() * cv::Matx22d(1, 0, 0, pixels(1)) * axes;
  const cv::Matx33d from_a(m(0, 0), m(0, 1), 0, m(1, 0), m(1, 1), 0, 0, 0, 1);
  CommonFrame frame{.from_a = from_a, .from_b = from_a * b_from_a.inv(), .part = {}};
  for (const cv::Point2d& p : part_of_a) frame.part.push_back(planes::mapped(frame.from_a, p).place);
  return frame;
}

}  // namespace octavo
