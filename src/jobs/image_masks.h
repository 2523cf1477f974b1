#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "io/images/masks.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// The masks of a job: those at the place, or of the standard input where the place is "-" and there is one.
Masks masks_of(const std::filesystem::path& place, const ReadOptions& read,
               const std::optional<StandardInput>& standard_input);

/// Masks::check for the images.
void check_masks(const Masks& masks, std::span<const ImageFile> images, const JobContext& context);

/// The masks of a few images, which are named as their files, checked.
Masks masks_of_files(const std::filesystem::path& place, const ReadOptions& read,
                     const std::optional<StandardInput>& standard_input, std::span<const std::filesystem::path> files,
                     const JobContext& context);

}  // namespace octavo::jobs
