// A model is read whole, then checked: what refers to something that the model does not have is a damaged file.

#include <fmt/core.h>

#include <cmath>

#include "multiview/sfm/model_files.h"
#include "octavo/error.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace sfm {
namespace {

namespace fs = std::filesystem;

bool all_finite(std::span<const double> numbers) {
  for (const double number : numbers) {
    if (!std::isfinite(number)) return false;
  }
  return true;
}

void require_sound(const SfmImage& image, const SfmModel& model, const fs::path& file) {
  if (!model.cameras.contains(image.camera)) {
    refuse_file(file, fmt::format("is damaged: image '{}' has camera {}, which is missing", image.name, image.camera));
  }
  double square = 0;
  for (const double number : image.camera_from_world) square += number * number;
  if (!all_finite(image.translation) || !(std::abs(square - 1) < 1e-3)) {
    refuse_file(file, fmt::format("is damaged: image '{}' has no valid pose", image.name));
  }
  for (const SfmObservation& observation : image.observations) {
    if (observation.point == SfmObservation::no_point || model.points.contains(observation.point)) continue;
    refuse_file(file,
                fmt::format("is damaged: image '{}' shows point {}, which is missing", image.name, observation.point));
  }
}

}  // namespace

void refuse_file(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("the model file '{}' {}", file.string(), why));
}

}  // namespace sfm

SfmModel read_sfm_model(const std::filesystem::path& folder) {
  const bool is_binary = exists(folder / "cameras.bin");
  if (!is_binary && !exists(folder / "cameras.txt")) {
    throw Error(ErrorCode::file_error,
                fmt::format("there is no model in '{}': neither cameras.bin nor cameras.txt", folder.string()));
  }
  SfmModel model = is_binary ? sfm::read_binary_model(folder) : sfm::read_text_model(folder);
  const char* const ending = is_binary ? ".bin" : ".txt";
  for (const auto& [id, image] : model.images) {
    sfm::require_sound(image, model, folder / (std::string("images") + ending));
  }
  for (const auto& [id, point] : model.points) {
    if (!sfm::all_finite(point.place)) {
      sfm::refuse_file(folder / (std::string("points3D") + ending), fmt::format("is damaged: point {} is nowhere", id));
    }
  }
  return model;
}

}  // namespace octavo
