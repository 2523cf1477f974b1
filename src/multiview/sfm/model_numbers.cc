// The reprojection error of an observation is the distance between the keypoint and the pixel at which the camera shows
// the point. A point behind the camera has none and is not counted.

#include "multiview/sfm/model_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "octavo/error.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

struct ErrorSum {
  double sum = 0;
  std::uint64_t count = 0;
  [[nodiscard]] double mean() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
};

// The errors of an image, which are also counted in the model's bins.
ErrorSum errors_of(const SfmImage& image, SfmModelResult& result, std::uint64_t& points) {
  ErrorSum errors;
  const SfmCamera& camera = result.model.cameras.at(image.camera);
  for (const SfmObservation& seen : image.observations) {
    if (seen.point == SfmObservation::no_point) continue;
    ++points;
    const auto pixel = project(camera, in_camera(image, result.model.points.at(seen.point).place));
    if (!pixel) continue;
    const double error = std::hypot((*pixel)[0] - seen.x, (*pixel)[1] - seen.y);
    if (!std::isfinite(error)) continue;
    errors.sum += error;
    ++errors.count;
    const double bin = std::min(error / error_bin_width, static_cast<double>(error_bin_count - 1));
    ++result.error_bins[static_cast<std::size_t>(bin)];
  }
  return errors;
}

SfmImageResult& result_of(std::vector<SfmImageResult>& images, const std::string& name) {
  const auto found = std::ranges::lower_bound(images, name, {}, &SfmImageResult::name);
  if (found != images.end() && found->name == name) return *found;
  throw Error(ErrorCode::file_error,
              fmt::format("the model has the image '{}', which the database does not have", name));
}

void measure(std::size_t index, SfmModelResult& result, std::vector<SfmImageResult>& images) {
  result.error_bins.assign(error_bin_count, 0);
  result.track_lengths.assign(longest_counted_track + 1, 0);
  ErrorSum all;
  for (const auto& [id, image] : result.model.images) {
    std::uint64_t points = 0;
    const ErrorSum errors = errors_of(image, result, points);
    all.sum += errors.sum;
    all.count += errors.count;
    result.observations += points;
    SfmImageResult& of_image = result_of(images, image.name);
    if (of_image.model) continue;
    of_image.model = index;
    of_image.points = points;
    if (errors.count > 0) of_image.error = errors.mean();
  }
  for (const auto& [id, point] : result.model.points) {
    ++result.track_lengths[std::min<std::uint64_t>(point.track, longest_counted_track)];
  }
  result.mean_error = all.mean();
  const std::size_t points = result.model.points.size();
  if (points > 0) result.mean_track = static_cast<double>(result.observations) / static_cast<double>(points);
}

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::vector<SfmModelResult> read_models(const fs::path& sparse) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(sparse)) {
    if (entry.is_directory() && is_number(entry.path().filename().string())) folders.push_back(entry.path());
  }
  std::ranges::sort(folders, {}, [](const fs::path& folder) { return std::stoull(folder.filename().string()); });
  std::vector<SfmModelResult> models;
  for (const fs::path& folder : folders) {
    SfmModelResult result{.folder = folder, .model = read_sfm_model(folder), .error_bins = {}, .track_lengths = {}};
    if (!result.model.images.empty() && result.model.points.size() >= least_points) models.push_back(std::move(result));
  }
  std::ranges::stable_sort(models, std::ranges::greater(),
                           [](const SfmModelResult& one) { return one.model.images.size(); });
  return models;
}

void measure_models(std::vector<SfmModelResult>& models, std::vector<SfmImageResult>& images) {
  for (std::size_t i = 0; i < models.size(); ++i) measure(i, models[i], images);
}

}  // namespace octavo::sfm
