#pragma once

// The eight ways in which a stored image can be shown: mirrored or not, and turned by quarters. Files store a matrix
// (ISO/IEC 14496-12, 6.2.2), which FFmpeg calls the display matrix: a stored point (x, y) is shown at
// (a x + c y, b x + d y), up to a shift.

#include <array>
#include <cstdint>

#include "octavo/image_view.h"

namespace octavo::video {

struct Orientation {
  int rotation = 0;       ///< [degree] clockwise: 0, 90, 180, 270
  bool mirrored = false;  ///< left and right are exchanged, before the image is turned
  bool operator==(const Orientation&) const = default;

  [[nodiscard]] bool swaps_sides() const { return rotation == 90 || rotation == 270; }
};

/// The nearest of the eight.
Orientation orientation_of(double a, double b, double c, double d);
/// Whether the matrix is one of the eight, up to a positive factor and rounding.
bool is_quarter_turn(double a, double b, double c, double d);

/// The image as it is shown. u8, any channels.
Image shown(const Image& stored, Orientation orientation);

}  // namespace octavo::video
