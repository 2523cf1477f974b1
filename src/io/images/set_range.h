#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The range of values of images that belong together, such as those of a survey with a thermal camera: full_scale of
/// what 16 of the files use together, at equal distances in the order of their paths, so it depends on the list of
/// files alone. It becomes ReadOptions::black and white. Of the options `max_pixels` counts. Images of 8 bits, and
/// files that cannot be read, are left out. Nothing: no image is left. Throws Error(file_error), which names two files,
/// if one has 16 bits and one floats.
std::optional<ValueRange> range_of_set(std::vector<std::filesystem::path> files, const ReadOptions& options = {});

}  // namespace octavo
