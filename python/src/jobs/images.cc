// Files of images, and drawings.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "arrays.h"
#include "features.h"
#include "gil.h"
#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/drawing.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"
#include "octavo/multiview/geometry.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

nb::object read(const fs::path& file, const nb::dict& given) {
  // The values stay as they are stored, so the range of values has no effect here.
  ReadOptions options;
  Keywords keywords("read", given);
  keywords.set(options, {"range", "black", "white"});
  print_warnings(options);
  keywords.finish();
  Photograph photograph = [&] {
    const WithoutGil release;
    return read_stored(file, options);
  }();
  return nb::cast(numpy_of(std::move(photograph.image)));
}

void write(const fs::path& file, nb::handle array) {
  const Image image = image_of(array);
  const WithoutGil release;
  write_image(file, image.view());
}

nb::object draw_points(nb::handle array, nb::handle keypoints) {
  const Image image = photograph_of(image_of(array)).image;
  const AnyArray points = host_array_of(keypoints, "keypoints");
  return nb::cast(numpy_of(draw_keypoints(image.view(), keypoints_of(points))));
}

nb::object draw_pairs(nb::handle image_a, nb::handle keypoints_a, nb::handle image_b, nb::handle keypoints_b,
                      nb::handle matches, nb::handle inliers) {
  const Image a = photograph_of(image_of(image_a)).image, b = photograph_of(image_of(image_b)).image;
  const Features of_a = features_of(keypoints_a, nb::none()), of_b = features_of(keypoints_b, nb::none());
  const AnyArray records = host_array_of(matches, "matches");
  std::vector<std::uint8_t> mask;
  if (!inliers.is_none()) {
    const AnyArray given = host_array_of(inliers, "inliers");
    const auto* const first = static_cast<const std::uint8_t*>(given.data());
    mask.assign(first, first + given.size());
  }
  return nb::cast(numpy_of(draw_matches(a.view(), of_a, b.view(), of_b, matches_of(records), mask)));
}

nb::tuple refine(nb::handle image_a, nb::handle keypoints_a, nb::handle image_b, nb::handle keypoints_b,
                 nb::handle matches) {
  const Image a = image_of(image_a), b = image_of(image_b);
  const Features of_a = features_of(keypoints_a, nb::none());
  Features of_b = features_of(keypoints_b, nb::none());
  const AnyArray records = host_array_of(matches, "matches");
  const std::span<const Match> pairs = matches_of(records);
  const std::size_t moved = [&] {
    const WithoutGil release;
    return refine_matches(a.view(), of_a, b.view(), of_b, pairs);
  }();
  return nb::make_tuple(array_of_keypoints(std::move(of_b.keypoints)), moved);
}

}  // namespace

void bind_images(nb::module_& m) {
  Record<GpsPlace>(m, "GpsPlace", "A place on the Earth, WGS 84.")
      .with("latitude", &GpsPlace::latitude, "[degree] -90 to 90, north is positive.")
      .with("longitude", &GpsPlace::longitude, "[degree] -180 to 180, east is positive.")
      .with("altitude", &GpsPlace::altitude, "[m] above the sea; None: unknown.");
  Record<CameraFacts>(m, "CameraFacts", "What the EXIF data of an image say of the camera. None: they do not say it.")
      .with("make", &CameraFacts::make, "Empty: not said.")
      .with("model", &CameraFacts::model, "Empty: not said.")
      .with("orientation", &CameraFacts::orientation, "1 to 8 (EXIF 2.32, 4.6.4); 1 is upright.")
      .with("focal_length_in_35mm", &CameraFacts::focal_length_in_35mm, "[mm] on film of 36 x 24 mm.")
      .with("focal_length", &CameraFacts::focal_length, "[mm] of the lens.")
      .with("place", &CameraFacts::place, "Where the image was taken.");
  m.def("read", &read, nb::arg("file"), nb::arg("options"));
  m.def("write", &write, nb::arg("file"), nb::arg("image").none());
  m.def(
      "camera_facts",
      [](const fs::path& file, const nb::dict& given) {
        return read_camera_facts(file, options_of<ReadOptions>("camera_facts", given));
      },
      nb::arg("file"), nb::arg("options"));
  m.def("draw_keypoints", &draw_points, nb::arg("image").none(), nb::arg("keypoints"));
  m.def("draw_matches", &draw_pairs, nb::arg("image_a").none(), nb::arg("keypoints_a"), nb::arg("image_b").none(),
        nb::arg("keypoints_b"), nb::arg("matches"), nb::arg("inliers").none());
  m.def("refine_matches", &refine, nb::arg("image_a").none(), nb::arg("keypoints_a"), nb::arg("image_b").none(),
        nb::arg("keypoints_b"), nb::arg("matches"));
}

}  // namespace octavo::python
