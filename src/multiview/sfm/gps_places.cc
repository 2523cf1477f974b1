// COLMAP up to 3.10 has places in the rows of images: prior_tx, prior_ty and prior_tz are latitude, longitude and
// altitude. Later versions have the table pose_priors, which also tells the system of coordinates: 0 is WGS 84. They
// name the image in the column image_id, from 4.0 on in corr_data_id, for sensors of the type 0, which are cameras.

#include "multiview/sfm/gps_places.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <set>
#include <vector>

#include "io/images/earth_point.h"
#include "io/sqlite/sqlite.h"
#include "octavo/error.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

std::set<std::string> columns_of(sqlite::Database& database, std::string_view table) {
  std::set<std::string> names;
  auto rows = database.query("SELECT name FROM pragma_table_info(?1)", table);
  while (rows.step()) names.insert(rows.text(0));
  return names;
}

void add(GpsPlaces& places, const std::string& image, const Place3& numbers) {
  const auto [latitude, longitude, altitude] = numbers;
  // 0, 0, 0 is what some programs write for an image without a place.
  const bool is_said = latitude != 0 || longitude != 0 || altitude != 0;
  const bool is_place = std::abs(latitude) <= 90 && std::abs(longitude) <= 180 && std::isfinite(altitude);
  if (is_said && is_place) places[image] = {latitude, longitude, altitude};
}

void read_image_columns(sqlite::Database& database, GpsPlaces& places) {
  auto rows = database.query(
      "SELECT name, prior_tx, prior_ty, prior_tz FROM images "
      "WHERE prior_tx IS NOT NULL AND prior_ty IS NOT NULL AND prior_tz IS NOT NULL");
  while (rows.step()) add(places, rows.text(0), {rows.number(1), rows.number(2), rows.number(3)});
}

void read_priors(sqlite::Database& database, GpsPlaces& places, bool has_sensors) {
  auto rows =
      database.query(has_sensors ? "SELECT name, position FROM pose_priors JOIN images ON image_id = corr_data_id "
                                   "WHERE coordinate_system = 0 AND corr_sensor_type = 0"
                                 : "SELECT name, position FROM pose_priors JOIN images USING (image_id) "
                                   "WHERE coordinate_system = 0");
  while (rows.step()) {
    const auto position = rows.blob(1);
    Place3 numbers;
    if (position.size() != sizeof numbers) continue;
    std::memcpy(numbers.data(), position.data(), sizeof numbers);
    add(places, rows.text(0), numbers);
  }
}

template <class Number>
double median(const GpsPlaces& places, const Number& number, double steps) {
  std::vector<double> numbers;
  for (const auto& [image, place] : places) numbers.push_back(number(place));
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::nth_element(numbers.begin(), middle, numbers.end());
  return std::round(*middle * steps) / steps;
}

}  // namespace

void refuse_places(const fs::path& source, std::size_t count) {
  throw Error(
      ErrorCode::file_error,
      fmt::format("`gps` needs the latitude, longitude and altitude of {} images, and the EXIF data in '{}' tell "
                  "those of {}",
                  least_places, source.string(), count));
}

GpsPlaces read_gps_places(const fs::path& file) {
  sqlite::Database database(file, false, "database");
  GpsPlaces places;
  if (columns_of(database, "images").contains("prior_tx")) read_image_columns(database, places);
  const std::set<std::string> priors = columns_of(database, "pose_priors");
  if (!priors.empty()) read_priors(database, places, priors.contains("corr_data_id"));
  if (places.size() < least_places) refuse_places(file, places.size());
  return places;
}

GpsPlace middle_of(const GpsPlaces& places) {
  return {median(
              places, [](const GpsPlace& place) { return place.latitude; }, 1e5),
          median(
              places, [](const GpsPlace& place) { return place.longitude; }, 1e5),
          median(
              places, [](const GpsPlace& place) { return *place.altitude; }, 1)};
}

Place3 east_north_up(const GpsPlace& origin, const GpsPlace& place) {
  constexpr double degree = std::numbers::pi / 180;
  const Place3 from = earth_point(origin), to = earth_point(place);
  const Place3 way{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const double phi = origin.latitude * degree, lambda = origin.longitude * degree;
  const double outward = std::cos(lambda) * way[0] + std::sin(lambda) * way[1];  // from the axis of the Earth
  return {-std::sin(lambda) * way[0] + std::cos(lambda) * way[1], std::cos(phi) * way[2] - std::sin(phi) * outward,
          std::cos(phi) * outward + std::sin(phi) * way[2]};
}

}  // namespace octavo::sfm
