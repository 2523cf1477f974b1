#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "octavo/image_view.h"

namespace octavo::io {

/// EXIF data for an image that is made of several, as a block in the byte order of this machine. Of the entries that
/// Octavo copies (copied_tags.h) it has those of the first block that no other contradicts; the dates and the place are
/// always those of the first. With a size, the image is upright and of that many pixels: what else tells of its pixels
/// or its angle of view is left out. Blocks that are damaged count as empty; without an entry the result is empty.
std::vector<std::byte> joined_exif(std::span<const std::vector<std::byte>> blocks, std::optional<ImageSize> size);

}  // namespace octavo::io
