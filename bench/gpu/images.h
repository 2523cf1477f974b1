// Images for measurements. They need no image library, so that a benchmark runs on any machine.

#pragma once

#include <string>
#include <vector>

#include "octavo/image_view.h"

namespace octavo::bench {

/// Reads a binary PGM file of 8 bits. Throws std::runtime_error for any other file.
Image read_pgm(const std::string& file);

/// `count` different images of the size of this one (u8, one channel): itself, and copies that are cyclically shifted
/// by different distances. The distances are the same in every run.
std::vector<Image> moved_round(const ImageView& image, int count);

}  // namespace octavo::bench
