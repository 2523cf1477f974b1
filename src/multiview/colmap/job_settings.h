#pragma once

#include <string>

#include "octavo/multiview/colmap_job.h"

namespace octavo::colmap {

/// Throws what fill_colmap_database throws for a job that cannot be done.
void check(const ColmapJob& job);

/// All that determines the content of the database besides images and pairs, as JSON.
std::string settings_of(const ColmapJob& job);

}  // namespace octavo::colmap
