#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/core/internal_api.h"
#include "octavo/image.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A kind of change to a photograph. It is known where every point of the photograph moves.
struct Distortion {
  std::string_view name;              ///< "rotation" …
  std::string_view unit;              ///< the unit of the strength, for people
  bool moves = false;                 ///< whether points move
  double least = 0, most = 0;         ///< the range of strengths
  std::span<const double> strengths;  ///< the strengths that an evaluation uses
  std::string_view note{};            ///< what a reader of its results must know, for people; empty: nothing
};

/// All kinds of change, with the units and ranges of their strengths:
/// rotation [degree, from +x towards +y] −360…360, scale [factor] 0.001…1000, shear [pixel per pixel] −100…100,
/// perspective [relative change of scale from the centre to the right edge] −0.99…0.99, mirror [degree, of the line on
/// which the image is reflected, from +x towards +y] −360…360, noise [σ in grey levels] 0…255, blur [σ in pixels]
/// 0.01…100, contrast [factor, brightness multiplied] 0.001…1000, brightness [grey levels added] −255…255, jpeg
/// [quality] 1…100.
std::span<const Distortion> distortions();

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
