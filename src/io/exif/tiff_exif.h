#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace octavo::io {

/// The EXIF data of a TIFF file as a block of their own, for exif_facts: the entries of the first directory that tell
/// the camera, and the directories of the photograph and of GPS that it names. Empty if the file is damaged there.
std::vector<std::byte> exif_block_of_tiff(std::span<const std::byte> file);

}  // namespace octavo::io
