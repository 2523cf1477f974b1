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
  double least = 0, most = 0;         ///< the range of strengths
  std::span<const double> strengths;  ///< those that an evaluation goes through
};

/// rotation [degree, from +x towards +y] −360…360, scale [factor] 0.001…1000, shear [pixel per pixel] −100…100,
/// perspective [relative change of scale from the centre to the right edge] −0.99…0.99, noise [σ in grey levels] 0…255,
/// blur [σ in pixels] 0.01…100, contrast [factor] 0.001…1000, jpeg [quality] 1…100.
std::span<const Distortion> distortions();

struct Distorted {
  Image image;                       ///< u8, of the channels 1 or 3
  std::array<double, 9> b_from_a{};  ///< from the original's pixels to this image's
};

/// The image changed. Points move about the centre, and the result is the largest rectangle of the original's
/// proportions and at most its size that shows nothing but the image; every pixel is the mean of 4×4 samples between
/// the image's pixels (bicubic), so that nothing is aliased. Images of 16 bits and float become 8 bits, alpha is left
/// out. Noise is drawn from the seed. Throws Error(invalid_argument) for an image that cannot be used, is too small for
/// this (a side of the result would have less than 16 pixels) or too large (more than 32766 pixels a side where points
/// move, 65500 for jpeg), Error(invalid_option) for a name that is none of `distortions`, or a strength out of its
/// range; Error(out_of_memory).
Distorted distort(const ImageView& image, std::string_view name, double strength, std::uint64_t seed = 0);

/// The image as `distort` takes it: 8 bits, 1 or 3 channels.
Image undistorted(const ImageView& image);

}  // namespace octavo
