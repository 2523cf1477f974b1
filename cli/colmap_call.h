#pragma once

// The options that octavo colmap and octavo sfm share: how images and pairs become a database of COLMAP.

#include "cli/command_line.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {

/// Adds --pairs, --recursive and the options of reading, cameras, matching, robust geometry, detectors and devices.
void add_collection_options(Command& command, CollectionJob& job, bool& recursive);

/// Refuses options that are given, but have no effect, and a wrong number in --pairs. Throws WrongCall.
void require_effects(const Command& command, const CollectionJob& job);

}  // namespace octavo::cli
