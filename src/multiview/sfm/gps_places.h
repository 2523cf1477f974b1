#pragma once

// The places of images on the Earth, as a database of COLMAP has them.

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "multiview/sfm/similarity.h"
#include "octavo/io/camera_facts.h"

namespace octavo::sfm {

inline constexpr std::size_t least_places = 3;

using GpsPlaces = std::map<std::string, GpsPlace>;

/// Throws the error of a database or a folder of photographs with so few places.
[[noreturn]] void refuse_places(const std::filesystem::path& source, std::size_t count);

/// The places of the images that have latitude, longitude and altitude, by the names of the images. Throws
/// Error(file_error) for a database that has fewer than least_places of them.
GpsPlaces read_gps_places(const std::filesystem::path& database);

/// The medians of latitudes, longitudes and altitudes, rounded to 1e-5° and 1 m.
GpsPlace middle_of(const GpsPlaces& places);

/// The place in metres east, north and up of an origin, along straight axes.
Place3 east_north_up(const GpsPlace& origin, const GpsPlace& place);

}  // namespace octavo::sfm
