// The camera models of COLMAP, as its documentation defines them. A point (x, y, z) of the camera's frame has the place
// u = x/z, v = y/z on the plane at distance 1. Distortion moves (u, v); focal lengths and principal point then give the
// pixel. Fisheye models replace the radius r of (u, v) by the angle atan r first.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "multiview/sfm/camera_models.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace sfm {
namespace {

using Place = std::array<double, 2>;
using Parameters = std::span<const double>;

// The place moved by radial terms k1 r² + k2 r⁴ + …
Place radial(Place at, Parameters terms) {
  const double square = at[0] * at[0] + at[1] * at[1];
  double factor = 0;
  for (std::size_t i = terms.size(); i-- > 0;) factor = (factor + terms[i]) * square;
  return {at[0] * (1 + factor), at[1] * (1 + factor)};
}

// What tangential terms p1, p2 add.
Place tangential(Place at, double p1, double p2) {
  const double square = at[0] * at[0] + at[1] * at[1], product = at[0] * at[1];
  return {2 * p1 * product + p2 * (square + 2 * at[0] * at[0]), 2 * p2 * product + p1 * (square + 2 * at[1] * at[1])};
}

Place sum(Place a, Place b) { return {a[0] + b[0], a[1] + b[1]}; }

// The place whose radius is the angle from the axis.
Place as_angle(Place at) {
  const double radius = std::hypot(at[0], at[1]);
  const double factor = radius > 1e-12 ? std::atan(radius) / radius : 1;
  return {at[0] * factor, at[1] * factor};
}

Place rational(Place at, Parameters p) {
  const double square = at[0] * at[0] + at[1] * at[1];
  const double above = 1 + square * (p[0] + square * (p[1] + square * p[4]));
  const double below = 1 + square * (p[5] + square * (p[6] + square * p[7]));
  return sum({at[0] * above / below, at[1] * above / below}, tangential(at, p[2], p[3]));
}

Place field_of_view(Place at, double omega) {
  const double radius = std::hypot(at[0], at[1]);
  if (radius < 1e-12 || std::abs(omega) < 1e-12) return at;
  const double factor = std::atan(2 * radius * std::tan(omega / 2)) / (radius * omega);
  return {at[0] * factor, at[1] * factor};
}

// k1, k2, p1, p2, k3, k4, sx1, sy1.
Place thin_prism(Place at, Parameters p) {
  const double square = at[0] * at[0] + at[1] * at[1];
  const std::array terms{p[0], p[1], p[4], p[5]};
  return sum(sum(radial(at, terms), tangential(at, p[2], p[3])), {p[6] * square, p[7] * square});
}

Place distorted(Distortion kind, Place at, Parameters p) {
  switch (kind) {
    case Distortion::none:
      return at;
    case Distortion::radial:
      return radial(at, p);
    case Distortion::opencv:
      return sum(radial(at, p.first(2)), tangential(at, p[2], p[3]));
    case Distortion::rational:
      return rational(at, p);
    case Distortion::field_of_view:
      return field_of_view(at, p[0]);
    case Distortion::fisheye:
      return radial(as_angle(at), p);
    case Distortion::thin_prism:
      return thin_prism(as_angle(at), p);
  }
  return at;
}

}  // namespace

const CameraModel* find_camera_model(std::string_view name) {
  const auto* const found = std::ranges::find(camera_models, name, &CameraModel::name);
  return found != std::end(camera_models) ? found : nullptr;
}

}  // namespace sfm

std::optional<std::size_t> camera_parameters(std::string_view model) {
  const sfm::CameraModel* const known = sfm::find_camera_model(model);
  return known != nullptr ? std::optional(known->parameters()) : std::nullopt;
}

Intrinsics intrinsics_of(const SfmCamera& camera) {
  const std::vector<double>& all = camera.parameters;
  const std::size_t lengths = sfm::find_camera_model(camera.model)->focal_lengths;
  return {.fx = all[0],
          .fy = all[lengths - 1],
          .cx = all[lengths],
          .cy = all[lengths + 1],
          .distortion = {all.begin() + static_cast<std::ptrdiff_t>(lengths) + 2, all.end()}};
}

std::optional<std::array<double, 2>> project(const SfmCamera& camera, const std::array<double, 3>& point) {
  const sfm::CameraModel* const model = sfm::find_camera_model(camera.model);
  if (model == nullptr || camera.parameters.size() != model->parameters() || point[2] <= 0) return std::nullopt;
  const std::span<const double> all(camera.parameters);
  const std::size_t lengths = model->focal_lengths;
  const sfm::Place at =
      sfm::distorted(model->distortion, {point[0] / point[2], point[1] / point[2]}, all.subspan(lengths + 2));
  return {{all[0] * at[0] + all[lengths], all[lengths - 1] * at[1] + all[lengths + 1]}};
}

std::array<double, 3> in_camera(const SfmImage& image, const std::array<double, 3>& point) {
  const auto& [w, x, y, z] = image.camera_from_world;
  const auto& [px, py, pz] = point;
  // p + 2 w (q × p) + 2 q × (q × p), for the vector part q of a unit quaternion
  const std::array<double, 3> cross{y * pz - z * py, z * px - x * pz, x * py - y * px};
  return {px + 2 * (w * cross[0] + y * cross[2] - z * cross[1]) + image.translation[0],
          py + 2 * (w * cross[1] + z * cross[0] - x * cross[2]) + image.translation[1],
          pz + 2 * (w * cross[2] + x * cross[1] - y * cross[0]) + image.translation[2]};
}

std::array<double, 3> camera_centre(const SfmImage& image) {
  SfmImage inverse;
  const auto& [w, x, y, z] = image.camera_from_world;
  inverse.camera_from_world = {w, -x, -y, -z};
  const auto& t = image.translation;
  return in_camera(inverse, {-t[0], -t[1], -t[2]});
}

std::array<std::array<double, 3>, 3> camera_axes(const SfmImage& image) {
  SfmImage turn = image;
  turn.translation = {};
  // Column k of the rotation from the model is what it makes of axis k; its rows are the camera's axes.
  std::array<std::array<double, 3>, 3> axes{};
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 3> axis{};
    axis.at(k) = 1;
    const std::array<double, 3> column = in_camera(turn, axis);
    for (std::size_t row = 0; row < 3; ++row) axes.at(row).at(k) = column.at(row);
  }
  return axes;
}

}  // namespace octavo
