#pragma once

#include <cstdint>
#include <span>

#include "engine/core/internal_api.h"
#include "octavo/image.h"
#include "octavo/inspect.h"
#include "octavo/keypoint.h"

// Drawings of an inspection.

namespace OCTAVO_INTERNAL_API octavo {

/// The difference pyramid packed into one plane (f32) of 2×2 tiles: the upper left, upper right and lower left tile
/// hold the differences 0, 1 and 2 of the first octave, the lower right holds the next octave, half as large, in the
/// same way, and so on. With S = 1 an octave has just these three (as in the pyramid of tsp 2023); with S = 3 they
/// cover each scale once; with another S some are left out or overlap.
class PackedPyramid {
 public:
  /// For a first octave of this size, each tile of it reduced until the sides of the plane are at most `longest_side`;
  /// 0: as large as it is. Throws Error(out_of_memory).
  PackedPyramid(int width, int height, int longest_side);

  /// Puts a difference into its tile; one that has none is left out. Octaves and differences come in any order.
  void add(const StagePlane& difference, int first_octave);

  /// It as a plane of the stage "packed", with the largest `white` of those added; valid while this object is.
  [[nodiscard]] StagePlane plane() const;

 private:
  Image canvas_;
  int tile_width_, tile_height_;
  float white_ = 0;
};

/// The image (u8, RGB, darkened) with a dot for every candidate, in the colour of its verdict, kept ones on top;
/// below it a legend, as wide as it. `pixels_per_pixel`: of the image, for one of the image in which candidates are
/// given. Throws Error(invalid_argument) for an image that cannot be used.
Image draw_candidates(const ImageView& image, std::span<const Candidate> candidates, double pixels_per_pixel);

/// How a descriptor came about: the pixels of the blur in which it was taken, around the keypoint, enlarged (u8, RGB,
/// `side` × `side`), the turned window of 4×4 cells and in each a rose of 8 arrows, as long as the descriptor's values.
/// `level` is the blur of the keypoint's octave and layer. Throws Error(invalid_argument) for a level without pixels.
Image draw_descriptor(const StagePlane& level, const Keypoint& keypoint,
                      std::span<const std::uint8_t, descriptor_length> descriptor, int side = 560);

}  // namespace octavo
