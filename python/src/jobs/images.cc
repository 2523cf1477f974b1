// Files of images, and drawings.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "arrays.h"
#include "features.h"
#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "left_work.h"
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
  Photograph photograph = run_or_leave([file, options] { return read_stored(file, options); });
  return nb::cast(numpy_of(std::move(photograph.image)));
}

void write(const fs::path& file, nb::handle array) {
  const std::stop_source stop;
  run_or_leave([file, image = image_of(array),
                token = stop.get_token()] { write_image_unless_stopped(file, image.view(), token); },
               stop);
}

nb::object draw_points(nb::handle array, nb::handle keypoints) {
  return nb::cast(
      numpy_of(run_or_leave([pixels = image_of(array), points = features_of(keypoints, nb::none())]() mutable {
        return draw_keypoints(photograph_of(std::move(pixels)).image.view(), points.keypoints);
      })));
}

std::vector<Match> copied_matches(nb::handle matches) {
  const AnyArray records = host_array_of(matches, "matches");
  const std::span<const Match> pairs = matches_of(records);
  return {pairs.begin(), pairs.end()};
}

nb::object draw_pairs(nb::handle image_a, nb::handle keypoints_a, nb::handle image_b, nb::handle keypoints_b,
                      nb::handle matches, nb::handle inliers) {
  std::vector<std::uint8_t> mask;
  if (!inliers.is_none()) {
    const AnyArray given = host_array_of(inliers, "inliers");
    const auto* const first = static_cast<const std::uint8_t*>(given.data());
    mask.assign(first, first + given.size());
  }
  return nb::cast(numpy_of(run_or_leave([pixels_a = image_of(image_a), of_a = features_of(keypoints_a, nb::none()),
                                         pixels_b = image_of(image_b), of_b = features_of(keypoints_b, nb::none()),
                                         pairs = copied_matches(matches), mask = std::move(mask)]() mutable {
    const Image a = photograph_of(std::move(pixels_a)).image, b = photograph_of(std::move(pixels_b)).image;
    return draw_matches(a.view(), of_a, b.view(), of_b, pairs, mask);
  })));
}

nb::tuple refine(nb::handle image_a, nb::handle keypoints_a, nb::handle image_b, nb::handle keypoints_b,
                 nb::handle matches) {
  auto [refined, moved] =
      run_or_leave([a = image_of(image_a), of_a = features_of(keypoints_a, nb::none()), b = image_of(image_b),
                    of_b = features_of(keypoints_b, nb::none()), pairs = copied_matches(matches)]() mutable {
        const std::size_t count = refine_matches(a.view(), of_a, b.view(), of_b, pairs);
        return std::pair(std::move(of_b.keypoints), count);
      });
  return nb::make_tuple(array_of_keypoints(std::move(refined)), moved);
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
