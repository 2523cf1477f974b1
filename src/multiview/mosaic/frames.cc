// Frames of images, and the distances of matched points in them.

#include "multiview/mosaic/frames.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace octavo::mosaic {

double half_diagonal(ImageSize size) { return std::hypot(size.width, size.height) / 2; }

cv::Matx33d normalised_from_pixel(ImageSize size) {
  const double s = 1 / half_diagonal(size);
  return {s, 0, -s * (size.width - 1) / 2, 0, s, -s * (size.height - 1) / 2, 0, 0, 1};
}

cv::Matx33d nearest_rotation(const cv::Matx33d& m) {
  const cv::SVD svd(cv::Mat(m * (1 / std::cbrt(std::abs(cv::determinant(m))))));
  cv::Matx33d rotation = cv::Matx33d(cv::Mat(svd.u * svd.vt));
  return cv::determinant(rotation) < 0 ? -1.0 * rotation : rotation;
}

cv::Matx33d Frames::frame(std::size_t image) const {
  const double f = std::exp(-log_focal[static_cast<std::size_t>(group[image])]);
  return base[image] * cv::Matx33d(f, 0, 0, 0, f, 0, 0, 0, 1);
}

Passage passage(const Frames& frames, int from, int to) {
  const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
  return {frames.model, frames.base[a], frames.base[b].inv(), frames.unit[b]};
}

int own_parameters(MosaicModel model) {
  switch (model) {
    case MosaicModel::rotation:
      return 3;
    case MosaicModel::affine:
      return 6;
    case MosaicModel::homography:
      return 8;
    default:
      return 4;
  }
}

int parameters(const Frames& frames) {
  const std::size_t sizes = frames.log_focal.size();
  const std::size_t focal = frames.model == MosaicModel::rotation ? sizes - frames.held_focal.size() : 0;
  const std::size_t radial = frames.distortion ? sizes - frames.held_radial.size() : 0;
  return own_parameters(frames.model) * (static_cast<int>(frames.base.size()) - 1) + static_cast<int>(focal + radial);
}

void PairPoints::add(const PairPoints& others, std::size_t i) {
  in_a.push_back(others.in_a[i]);
  in_b.push_back(others.in_b[i]);
  weight_in_a.push_back(others.weight_in_a[i]);
  weight_in_b.push_back(others.weight_in_b[i]);
}

std::vector<Distance> distances(const Frames& frames, const PairPoints& pair) {
  const Passage forth = passage(frames, pair.a, pair.b), back = passage(frames, pair.b, pair.a);
  constexpr std::array<double, 8> unmoved{};
  const auto lens_of = [&](int image) {
    const auto g = static_cast<std::size_t>(frames.group[static_cast<std::size_t>(image)]);
    return Change<double>{unmoved.data(), frames.log_focal[g], frames.radial[g]};
  };
  const Change<double> a = lens_of(pair.a), b = lens_of(pair.b);
  const cv::Matx33d b_from_a(matrix_of(forth, a, b).data()), a_from_b(matrix_of(back, b, a).data());
  std::vector<Distance> list;
  const auto add = [&](const cv::Matx33d& matrix, const Sight& sight, double radial_from, double radial_to,
                       double unit) {
    const cv::Vec3d q = matrix * straightened(sight.from, radial_from);
    std::array<double, 2> r{};
    residual<double>({q[0], q[1], q[2]}, radial_to, sight, unit, r.data());
    const double weight = sight.weight.dot(sight.weight) / 2;
    list.push_back({std::min(far * far * weight, r[0] * r[0] + r[1] * r[1]), weight});
  };
  for (std::size_t i = 0; i < pair.in_a.size(); ++i) {
    add(b_from_a, {pair.in_a[i], pair.in_b[i], pair.weight_in_b[i]}, a.radial, b.radial, forth.unit);
    add(a_from_b, {pair.in_b[i], pair.in_a[i], pair.weight_in_a[i]}, b.radial, a.radial, back.unit);
  }
  return list;
}

}  // namespace octavo::mosaic
