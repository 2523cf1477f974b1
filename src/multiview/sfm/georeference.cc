// The similarity is fitted to the centres of the cameras and their places. How exact it is follows from the residuals
// of the places and the spread of the cameras: σ/√n over the spread is the relative error of the scale, and over the
// spread across the line of most spread it is the error of the turn about that line. The spread is taken of the model,
// since that of places on a line would be their noise.

#include "multiview/sfm/georeference.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/files/output_file.h"
#include "multiview/sfm/result_json.h"

namespace octavo::sfm {
namespace {

constexpr double least_limit = 0.01;  // GPS is never better [m]
constexpr double most_scale_error = 0.05;
constexpr double most_turn_error = 5;  // [degree]

// The images of a model that have a place.
struct PlacedImages {
  std::vector<const SfmImage*> images;  // by name
  std::vector<Place3> centres, places;
};

PlacedImages placed_images(const SfmModel& model, const GpsPlaces& places, const GpsPlace& origin) {
  PlacedImages placed;
  for (const auto& [id, image] : model.images) {
    if (places.contains(image.name)) placed.images.push_back(&image);
  }
  std::ranges::sort(placed.images, {}, &SfmImage::name);
  for (const SfmImage* const image : placed.images) {
    placed.centres.push_back(camera_centre(*image));
    placed.places.push_back(east_north_up(origin, places.at(image->name)));
  }
  return placed;
}

// Fills what a similarity leaves, and returns the centres in metres of the places that are used.
std::vector<Place3> measure_residuals(const PlacedImages& placed, const FittedSimilarity& fitted, SfmGps& gps) {
  std::vector<Place3> used;
  double squares = 0;
  for (std::size_t i = 0; i < placed.images.size(); ++i) {
    SfmPlace& place = gps.places[i];
    const Place3 centre = moved(fitted.b_from_a, placed.centres[i]);
    place.is_used = fitted.is_used[i];
    for (std::size_t k = 0; k < 3; ++k) place.residual.at(k) = centre.at(k) - placed.places[i].at(k);
    if (!place.is_used) continue;
    used.push_back(centre);
    for (const double number : place.residual) squares += number * number;
  }
  gps.used = used.size();
  gps.rms = std::sqrt(squares / static_cast<double>(used.size()));
  return used;
}

// What is not determined well by places of `gps.rms` and cameras that stand at `used`.
void doubt(SfmGps& gps, const std::vector<Place3>& used) {
  const auto count = static_cast<double>(used.size());
  // A similarity has seven numbers, which the residuals of few places cannot show.
  const double of_mean = gps.rms / std::sqrt(3 * count - 7);
  const Place3 extent = extents_of(used);
  const double spread = std::hypot(extent[0], extent[1], extent[2]);
  const double scale_error = of_mean / spread;
  if (scale_error > most_scale_error) {
    gps.doubts.push_back(
        fmt::format("scale and directions may be wrong by {:.0f} %: the cameras spread over {:.1f} m, and "
                    "their places are {:.1f} m off",
                    100 * scale_error, spread, gps.rms));
  }
  const double turn_error = std::atan2(of_mean, extent[1]) * 180 / std::numbers::pi;
  const bool is_line = extent[1] < 1e-3 * extent[0];
  if (turn_error > most_turn_error || is_line) {
    gps.doubts.push_back(
        "the cameras stand nearly on a line: " +
        (is_line || turn_error > 45
             ? std::string("their places do not tell how the model is turned about it")
             : fmt::format("the turn of the model about it may be wrong by {:.0f} degrees", turn_error)));
  }
}

}  // namespace

void georeference(SfmModelResult& result, const GpsPlaces& places, const GpsPlace& origin) {
  const PlacedImages placed = placed_images(result.model, places, origin);
  SfmGps& gps = result.gps.emplace(SfmGps{.origin = origin});
  for (const SfmImage* const image : placed.images) gps.places.push_back({.image = image->name});
  if (placed.images.size() < least_places) {
    gps.doubts.push_back(fmt::format("it is not in metres: {} of its images have a place, and {} are needed",
                                     placed.images.size(), least_places));
    return;
  }
  const auto fitted = fit_similarity(placed.centres, placed.places, least_limit);
  if (!fitted) {
    gps.doubts.emplace_back("it is not in metres: no scale fits the places of its images");
    return;
  }
  gps.metres_from_mapper = fitted->b_from_a;
  doubt(gps, measure_residuals(placed, *fitted, gps));
  move_model(result.folder, fitted->b_from_a);
  write_file(result.folder / "gps.json", json_text(gps_json(gps), 1) + '\n');
  result.model = read_sfm_model(result.folder);
}

std::vector<std::string> warnings_of(const SfmModelResult& result) {
  const std::string model = "model " + result.folder.filename().string();
  std::vector<std::string> warnings;
  for (const std::string& doubt : result.gps->doubts) warnings.push_back(fmt::format("{}: {}", model, doubt));
  if (!result.gps->metres_from_mapper) return warnings;
  std::vector<std::string> outliers;
  for (const SfmPlace& place : result.gps->places) {
    const auto& [east, north, up] = place.residual;
    if (!place.is_used) outliers.push_back(fmt::format("'{}' by {:.1f} m", place.image, std::hypot(east, north, up)));
  }
  if (outliers.empty()) return warnings;
  const std::size_t told = std::min<std::size_t>(outliers.size(), 5);
  std::string sentence =
      fmt::format("{}: GPS places that miss the camera are not used: {}", model,
                  fmt::join(outliers.begin(), outliers.begin() + static_cast<std::ptrdiff_t>(told), ", "));
  if (told < outliers.size()) sentence += fmt::format(" and {} more", outliers.size() - told);
  warnings.push_back(std::move(sentence));
  return warnings;
}

}  // namespace octavo::sfm
