// The data that the steps of the trilateral filter on the CPU exchange.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/plane.h"
#include "engine/trilateral/trilateral.h"

namespace octavo {

/// The value outside the image: its squared difference from any scaled grey value is infinite, and no gradient is as
/// large.
inline constexpr float trilateral_far = 1e36f;

/// An upper bound of the levels of any image.
inline constexpr int most_trilateral_levels = 32;

/// The range of the gradients' magnitudes.
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

/// A tile of the image.
struct TrilateralTile {
  int x, y, width, height;
};

/// The plan's tables for distances from −reach to reach. The pointers point to the middle.
struct TrilateralTables {
  const float* step;  ///< the distance itself
  const float* exponent;
  const float* row_weight;
  const std::int32_t* disc;
};

/// The inputs and the output of the windows of an image.
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

/// The memory of one thread, kept from tile to tile.
struct TrilateralScratch {
  Plane sizes, gx, gy;          ///< gradients of a tile and its surroundings
  Plane lowest[2], highest[2];  ///< range of the gradients around each pixel, for one level and the next
  Plane between, counts;
  std::vector<std::int32_t> left, order;  ///< pixels of a tile, in their own order and in order of their windows
};

}  // namespace octavo
