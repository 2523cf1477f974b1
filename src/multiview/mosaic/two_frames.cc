#include "multiview/mosaic/two_frames.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace octavo::mosaic {

Frames two_frames(const cv::Matx33d& b_from_a, ImageSize size_a, ImageSize size_b) {
  Frames frames{MosaicModel::homography, false, {}, {0, 0}, {0}, {0}, {half_diagonal(size_a), half_diagonal(size_b)}};
  const cv::Matx33d a_from_b = normalised_from_pixel(size_a) * b_from_a.inv() * normalised_from_pixel(size_b).inv();
  cv::Matx33d m = a_from_b * (1 / std::cbrt(std::abs(cv::determinant(a_from_b))));
  if (m(2, 2) < 0) m = -1.0 * m;
  frames.base = {cv::Matx33d::eye(), m};
  return frames;
}

cv::Matx33d homography_of(const Frames& frames, ImageSize size_a, ImageSize size_b) {
  const cv::Matx33d h =
      normalised_from_pixel(size_b).inv() * frames.base[1].inv() * frames.base[0] * normalised_from_pixel(size_a);
  return h * (1 / h(2, 2));
}

PairPoints some_of(const PairPoints& points, std::size_t most) {
  const std::size_t all = points.in_a.size(), count = std::min(most, all);
  PairPoints some{points.a, points.b, {}, {}, {}, {}};
  for (std::size_t k = 0; k < count; ++k) some.add(points, k * all / count);
  return some;
}

PairPoints agreeing(const Frames& frames, const PairPoints& points, double threshold) {
  const std::vector<Distance> list = distances(frames, points);
  PairPoints kept{points.a, points.b, {}, {}, {}, {}};
  for (std::size_t i = 0; i < points.in_a.size(); ++i) {
    const Distance& d = list[2 * i];
    if (d.squared <= threshold * threshold * d.weight) kept.add(points, i);
  }
  return kept;
}

}  // namespace octavo::mosaic
