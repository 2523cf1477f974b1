// Robust models of two views, from pairs of points.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "left_work.h"
#include "octavo/multiview/geometry.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

using Points = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::vector<Point> points_of(const Points& array) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < array.shape(0); ++i) points.push_back({array(i, 0), array(i, 1)});
  return points;
}

using Estimate = RobustModel (*)(std::span<const Point>, std::span<const Point>, const RobustOptions&);

auto model_by(const char* call, Estimate estimate) {
  return [=](const Points& a, const Points& b, const nb::dict& given) {
    return run_or_leave([estimate, of_a = points_of(a), of_b = points_of(b),
                         options = options_of<RobustOptions>(call, given)] { return estimate(of_a, of_b, options); });
  };
}

EssentialModel essential(const Points& a, const Points& b, const std::array<double, 4>& camera_a,
                         const std::array<double, 4>& camera_b, const nb::dict& given) {
  const auto camera_of = [](const std::array<double, 4>& c) { return Camera{c[0], c[1], c[2], c[3]}; };
  return run_or_leave([of_a = points_of(a), of_b = points_of(b), first = camera_of(camera_a),
                       second = camera_of(camera_b), options = options_of<RobustOptions>("essential", given)] {
    return estimate_essential(of_a, of_b, first, second, options);
  });
}

nb::object inliers_of(const RobustModel& model) { return nb::cast(mask_of(model.inliers)).attr("view")("bool"); }

// The members that every model has.
template <class Model>
void add_model(Record<Model>& record) {
  record.with("found", &Model::found, "Whether there is a model.")
      .with("reason", &Model::reason, "Why there is none, one sentence; empty if it is found.")
      .with(
          "b_from_a", [](const Model& model) { return matrix_of(model.b_from_a); },
          "3 x 3 in float64. A homography's last number is 1, other matrices have the norm 1; 0 if there is no model.")
      .with("inliers", &inliers_of, "For each pair whether it agrees with the model, N in bool.")
      .with("inlier_count", &Model::inlier_count, "How many pairs agree.")
      .with("reprojection_error", &Model::reprojection_error,
            "[pixel] The mean over the inliers: the distance of b to the image of a, or to the epipolar line of a.")
      .with("warnings", &Model::warnings, "list[ModelWarning]: reasons to doubt it.");
}

}  // namespace

void bind_geometry(nb::module_& m) {
  Record<ModelWarning>(m, "ModelWarning", "A reason to doubt a model of matched points.")
      .with(
          "kind", [](const ModelWarning& w) { return std::string(word(w.kind)); },
          "few_inliers, or inliers at few places, so that images of different things may have as many; plane_alone: "
          "`is_plane_alone`; one_place: "
          "`median_ray_angle` is at most three times threshold / focal length, so that the translation is arbitrary.")
      .with("sentence", &ModelWarning::sentence, "For people, without a full stop.");
  Record<RobustModel> model(m, "RobustModel", "A homography or a fundamental matrix of matched points.");
  add_model(model);
  model.with("is_plane_alone", &RobustModel::is_plane_alone,
             "Of a fundamental matrix: nearly all that agrees lies on one plane, so that the matrix may be wrong.");
  Record<EssentialModel> pose(m, "EssentialModel", "An essential matrix of matched points, and the pose of camera b.");
  add_model(pose);
  pose.with(
          "rotation_b_from_a", [](const EssentialModel& e) { return matrix_of(e.rotation_b_from_a); },
          "3 x 3 in float64: R of b = R a + t.")
      .with(
          "translation_b_from_a", [](const EssentialModel& e) { return vector_of(e.translation_b_from_a); },
          "3 in float64: t of b = R a + t, of length 1.")
      .with("in_front_count", &EssentialModel::in_front_count, "Inliers that the pose puts in front of both cameras.")
      .with("median_ray_angle", &EssentialModel::median_ray_angle, "[radian] Between the two rays to these points.");
  const auto bind = [&m](const char* name, Estimate estimate) {
    m.def(name, model_by(name, estimate), nb::arg("a"), nb::arg("b"), nb::arg("options"));
  };
  bind("homography", &estimate_homography);
  bind("fundamental", &estimate_fundamental);
  m.def("essential", &essential, nb::arg("a"), nb::arg("b"), nb::arg("camera_a"), nb::arg("camera_b"),
        nb::arg("options"));
}

}  // namespace octavo::python
