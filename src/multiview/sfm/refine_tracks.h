#pragma once

#include <filesystem>

#include "octavo/progress.h"

namespace octavo::sfm {

/// Writes a copy of a database, without descriptors, in which the keypoints of verified matches are moved to the same
/// point of the scene, as the photographs show it. `copy` must not exist. A photograph that cannot be read, or has
/// another size than in the database, is told to the context as a warning, and its keypoints stay. Throws
/// Error(file_error), also after a stop.
void write_refined_copy(const std::filesystem::path& database, const std::filesystem::path& photographs,
                        const std::filesystem::path& copy, const JobContext& context);

}  // namespace octavo::sfm
