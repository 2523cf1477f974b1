#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/core/internal_api.h"
#include "octavo/image.h"

// Images changed in known ways.

namespace OCTAVO_INTERNAL_API octavo {

struct Distorted {
  Image image;                       ///< u8, 1 or 3 channels
  std::array<double, 9> b_from_a{};  ///< from the original's pixels to this image's
};

/// Changes an image. Points move about the centre of the image. The result is the largest rectangle that the changed
/// image fills completely; it has the proportions of the original and is at most as large. Every pixel is the mean of
/// 4×4 samples, each interpolated bicubically, which avoids aliasing. Images of 16 bits and float become 8 bits. Alpha
/// is dropped. The noise depends on the seed alone. Throws
///  - Error(invalid_argument) for an invalid image, an image that is too small (a side of the result would have less
///    than 16 pixels), or one that is too large (a side above 32766 pixels where points move, 65500 for jpeg);
///  - Error(invalid_option) for a name that is not in `distortions`, or a strength out of its range;
///  - Error(out_of_memory).
Distorted distort(const ImageView& image, std::string_view name, double strength, std::uint64_t seed = 0);

/// The image in the format that `distort` works on: 8 bits, 1 or 3 channels.
Image undistorted(const ImageView& image);

}  // namespace octavo
