#pragma once

#include <filesystem>

#include "octavo/image.h"

namespace octavo::cli {

/// Reads a mask: u8, one channel, 255 where any colour of the picture is not 0 (alpha does not count).
/// Throws Error(file_error).
Image read_mask(const std::filesystem::path& file, bool apply_exif_rotation);

}  // namespace octavo::cli
