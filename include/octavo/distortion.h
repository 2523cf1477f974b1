#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "octavo/image.h"

namespace octavo {

/// A way to change a photograph of which it is known where every point goes.
struct Distortion {
  std::string_view name;              ///< "rotation" …
  std::string_view unit;              ///< what the strength counts, for people
  bool moves = false;                 ///< whether points move
  std::span<const double> strengths;  ///< those that an evaluation goes through
};

/// rotation [degree, from +x towards +y], scale [factor], shear [pixel per pixel], perspective [relative change of
/// scale from the centre to the right edge], noise [σ in grey levels], blur [σ in pixels], contrast [factor], jpeg
/// [quality].
std::span<const Distortion> distortions();

struct Distorted {
  Image image;                       ///< u8, of the channels 1 or 3
  std::array<double, 9> b_from_a{};  ///< from the original's pixels to this image's
};

/// The image changed. Points move about the centre, and the result is the largest rectangle of the original's
/// proportions and at most its size that shows nothing but the image; every pixel is the mean of 4×4 samples between
/// the image's pixels (bicubic), so that nothing is aliased. Images of 16 bits and float become 8 bits, alpha is left
/// out. Noise is drawn from the seed. Throws Error(invalid_argument) for an image that cannot be used or is too small
/// for this, Error(invalid_option) for a name that is none of `distortions`, or a strength that makes no image.
Distorted distort(const ImageView& image, std::string_view name, double strength, std::uint64_t seed = 0);

/// The image as `distort` takes it: 8 bits, 1 or 3 channels.
Image undistorted(const ImageView& image);

}  // namespace octavo
