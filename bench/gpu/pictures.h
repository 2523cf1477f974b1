// Pictures to measure with, without an image library, so that a benchmark can be carried to any machine.

#pragma once

#include <string>
#include <vector>

#include "octavo/image.h"

namespace octavo::bench {

/// A binary PGM file of 8 bits. Throws std::runtime_error for anything else.
Image read_pgm(const std::string& file);

/// So many different pictures of the size of this one (u8, one channel): itself, and copies moved round by distances of
/// their own, always the same ones. What leaves on one side comes in on the other.
std::vector<Image> moved_round(const ImageView& image, int count);

}  // namespace octavo::bench
