#pragma once

// COLMAP's lists of pairs are names, two a line with a space between them, and lines that begin with # are notes. So
// they cannot hold every name of a file. Where such images have pairs to verify, COLMAP verifies them in a copy of
// the database in which images are named by their numbers, and what it finds is taken over.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "multiview/sfm/match_graph.h"

namespace octavo::sfm {

/// Writes the part of a database that COLMAP needs to verify those matches that are not verified: all but descriptors
/// and the other matches. The name of an image is its number in the database, image_id. `copy` must not exist. Throws
/// Error(file_error).
void write_numbered_copy(const std::filesystem::path& database, const std::filesystem::path& copy);

/// Takes the geometries that COLMAP has added to a copy over into the database, all or none. Throws Error(file_error).
void take_geometries(const std::filesystem::path& database, const std::filesystem::path& copy);

}  // namespace octavo::sfm
