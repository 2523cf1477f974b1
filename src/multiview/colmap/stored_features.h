#pragma once

// Features as a database of COLMAP keeps them. ColmapDatabase documents what the functions return and throw.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "io/sqlite/sqlite.h"
#include "multiview/colmap/colmap_database.h"
#include "octavo/keypoint.h"

namespace octavo::colmap {

/// From Octavo's origin, the centre of the first pixel, to COLMAP's, its corner.
inline constexpr float half_pixel = 0.5f;

std::optional<std::int64_t> image_of(sqlite::Database& database, std::string_view name);
Features features_of(sqlite::Database& database, std::int64_t image, const std::filesystem::path& file);
std::uint64_t feature_bytes_of(sqlite::Database& database, std::int64_t image);

}  // namespace octavo::colmap
