#pragma once

// Where a point of one image is seen in another: the one formula of the adjustment and of all reported distances. It
// is written for any kind of number, so that ceres::Jet gives its derivatives. An image's matrix maps its points to
// the common frame; its change S(δ) stands to the left of it and is of the group of the model. So every model has its
// own parameters alone, and they are of one size near the solution.

#include <array>
#include <cmath>
#include <opencv2/core.hpp>
#include <optional>
#include <type_traits>

#include "multiview/mosaic/radial.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// [pixel] The distance of a match that cannot be seen, for example behind the other camera. It has no derivatives, so
/// such a match has no influence.
inline constexpr double unseen = 1e5;

/// The matrices, row by row, of the image `from` to the common frame, and of the common frame to the image `to`;
/// and half of the diagonal [pixel] of `to`.
struct Passage {
  MosaicModel model;
  cv::Matx33d from, to;
  double unit;
};

/// A place in `from`, and the one that was matched with it in `to`, in normalised coordinates; the weight of their
/// distance.
struct Sight {
  cv::Point2d from, to;
  cv::Matx22d weight;
};

/// What changes an image: δ, as many numbers as the model gives an image, and the numbers of its lens.
template <class T>
struct Change {
  const T* step;
  T log_focal, radial;
};

inline double value_of(double x) { return x; }
template <class Jet>
double value_of(const Jet& x) {
  return x.a;
}

/// S(δ), row by row.
template <class T>
std::array<T, 9> step_matrix(MosaicModel model, const T* d) {
  using std::cos, std::sin, std::sqrt;
  const T zero(0.0), one(1.0);
  switch (model) {
    case MosaicModel::rotation: {
      // Rodrigues' formula; near 0, where its terms have no derivatives, their series.
      const T angle2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      T a(one - angle2 / 6.0), b(0.5 - angle2 / 24.0);  // sin(angle) / angle, (1 − cos(angle)) / angle²
      if (value_of(angle2) > 1e-8) {
        const T angle = sqrt(angle2);
        a = sin(angle) / angle;
        b = (one - cos(angle)) / angle2;
      }
      const T xx = b * d[0] * d[0], yy = b * d[1] * d[1], zz = b * d[2] * d[2];
      const T xy = b * d[0] * d[1], xz = b * d[0] * d[2], yz = b * d[1] * d[2];
      const T x = a * d[0], y = a * d[1], z = a * d[2];
      return {one - yy - zz, xy - z, xz + y, xy + z, one - xx - zz, yz - x, xz - y, yz + x, one - xx - yy};
    }
    case MosaicModel::affine:
      return {one + d[0], d[1], d[2], d[3], one + d[4], d[5], zero, zero, one};
    case MosaicModel::homography:
      return {one + d[0], d[1], d[2], d[3], one + d[4], d[5], d[6], d[7], one};
    default:
      return {one + d[0], -d[1], d[2], d[1], one + d[0], d[3], zero, zero, one};
  }
}

inline double entry(const cv::Matx33d& m, std::size_t i) { return m.val[i]; }
template <class T>
const T& entry(const std::array<T, 9>& m, std::size_t i) {
  return m[i];
}

template <class A, class B>
auto product(const A& a, const B& b) {
  std::array<std::decay_t<decltype(entry(a, 0) * entry(b, 0))>, 9> m;
  for (std::size_t i = 0; i < 9; ++i) {
    const std::size_t row = i / 3 * 3, column = i % 3;
    m[i] = entry(a, row) * entry(b, column) + entry(a, row + 1) * entry(b, column + 3) +
           entry(a, row + 2) * entry(b, column + 6);
  }
  return m;
}

/// The adjoint of a matrix: its inverse times its determinant, which is positive near 1.
template <class T>
std::array<T, 9> adjoint(const std::array<T, 9>& m) {
  return {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
          m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
          m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
}

/// The matrix, row by row, from undistorted normalised coordinates of one image to those of another, times a positive
/// number.
template <class T>
std::array<T, 9> matrix_of(const Passage& way, const Change<T>& from, const Change<T>& to) {
  using std::exp;
  std::array<T, 9> m = product(product(way.to, adjoint(step_matrix(way.model, to.step))),
                               product(step_matrix(way.model, from.step), way.from));
  if (way.model != MosaicModel::rotation) return m;
  const T shrunk = exp(-from.log_focal), enlarged = exp(to.log_focal);
  for (const std::size_t row : {0, 3, 6}) m[row] *= shrunk, m[row + 1] *= shrunk;
  for (std::size_t i = 0; i < 6; ++i) m[i] *= enlarged;
  return m;
}

/// A place without its distortion, as homogeneous coordinates.
inline cv::Vec3d straightened(const cv::Point2d& p, double radial) {
  const cv::Point2d q = undistorted(p, radial);
  return {q.x, q.y, 1};
}

/// The two numbers of a match in one direction: the weighted difference [pixel] between where the matrix puts the place
/// of `from` (homogeneous, without distortion) and where it was found in `to`; (unseen, 0) where it is not seen.
template <class T>
void residual(const std::array<T, 3>& there, const T& radial_to, const Sight& sight, double unit, T* out) {
  out[0] = T(unseen), out[1] = T(0.0);
  if (!(value_of(there[2]) > 1e-9)) return;
  const T x = there[0] / there[2], y = there[1] / there[2];
  const std::optional<T> factor = undrawn<T>(x * x + y * y, radial_to);
  if (!factor) return;
  const T dx = unit * (x * *factor - sight.to.x), dy = unit * (y * *factor - sight.to.y);
  if (!std::isfinite(value_of(dx)) || !std::isfinite(value_of(dy))) return;
  out[0] = sight.weight(0, 0) * dx + sight.weight(0, 1) * dy;
  out[1] = sight.weight(1, 0) * dx + sight.weight(1, 1) * dy;
}

}  // namespace octavo::mosaic
