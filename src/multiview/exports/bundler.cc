#include "multiview/exports/bundler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "multiview/sfm/camera_models.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"

namespace octavo::exports {

std::string foreign_to_bundler(const SfmModel& model) {
  for (const auto& [id, camera] : model.cameras) {
    const sfm::Distortion distortion = sfm::find_camera_model(camera.model)->distortion;
    if (distortion != sfm::Distortion::none && distortion != sfm::Distortion::radial) return camera.model;
  }
  return {};
}

double bundler_error(const SfmModel& model) {
  double most = 0;
  for (const auto& [id, camera] : model.cameras) {
    const Intrinsics lens = intrinsics_of(camera);
    const auto width = static_cast<double>(camera.width), height = static_cast<double>(camera.height);
    const double of_middle = std::hypot(lens.cx - width / 2, lens.cy - height / 2);
    const double of_length = std::abs(lens.fx - lens.fy) / (lens.fx + lens.fy) * std::hypot(width, height) / 2;
    most = std::max(most, of_middle + of_length);
  }
  return most;
}

void require_bundler_names(const SfmModel& model) {
  for (const auto& [id, image] : model.images) {
    if (is_listable(image.name)) continue;
    throw Error(
        ErrorCode::file_error,
        fmt::format("Bundler's list of images cannot hold the name '{}': it has one name a line, without blanks",
                    image.name));
  }
}

}  // namespace octavo::exports
