#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "octavo/keypoint.h"

namespace octavo {

/// Makes the keypoint the ellipse of the matrix (a11, a12, a21, a22), from which its scale and orientation follow.
inline void set_ellipse(Keypoint& k, const std::array<float, 4>& matrix) {
  k.a11 = matrix[0], k.a12 = matrix[1], k.a21 = matrix[2], k.a22 = matrix[3];
  k.scale = std::sqrt(std::abs(k.a11 * k.a22 - k.a12 * k.a21));
  // In double: versions of the C library round the arctangent of floats differently.
  k.orientation = static_cast<float>(std::atan2(double{k.a21}, double{k.a11}));
  if (k.orientation < 0) k.orientation += 2 * std::numbers::pi_v<float>;
}

}  // namespace octavo
