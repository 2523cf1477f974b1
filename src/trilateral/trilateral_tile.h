// What the steps of the trilateral filter on the CPU hand to each other.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plane.h"
#include "trilateral/trilateral.h"

namespace octavo {

/// Outside the image: its difference from any scaled grey value, squared, is infinite, and no gradient is as large.
inline constexpr float trilateral_far = 1e36f;

/// No image is so large that it has more.
inline constexpr int most_trilateral_levels = 32;

/// Of the gradients' magnitudes.
struct GradientRange {
  float lowest, highest;
};

/// The scaled image, in a plane with a margin all around.
struct TrilateralImage {
  const float* first;  ///< pixel (0, 0)
  std::ptrdiff_t stride;
  int width, height;

  [[nodiscard]] const float* row(int y) const { return first + y * stride; }
};

/// Some pixels of it.
struct TrilateralTile {
  int x, y, width, height;
};

/// The plan's tables by distances from −reach to reach: pointers to the middle.
struct TrilateralTables {
  const float* step;  ///< the distance itself
  const float* exponent;
  const float* row_weight;
  const std::int32_t* disc;
};

/// What the windows of an image are summed from, and where to.
struct TrilateralWindows {
  TrilateralImage image;
  TrilateralShape shape;
  TrilateralTables tables;
  const std::uint8_t* levels;  ///< rows packed
  const Plane *gx, *gy;        ///< smoothed gradients; null: those of the image
  const Plane* grey;           ///< not scaled
  float unscale;
  Plane* out;
};

/// What a thread needs for itself, kept from tile to tile.
struct TrilateralScratch {
  Plane sizes, gx, gy;          ///< gradients of a tile and of what is around it
  Plane lowest[2], highest[2];  ///< of those around a pixel, of one level and of the next
  Plane between, counts;
  std::vector<std::int32_t> left, order;  ///< pixels of a tile, as they come and by their windows
};

}  // namespace octavo
