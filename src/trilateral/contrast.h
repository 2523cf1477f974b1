// The contrast of an image on hosts (contrast_maths.h says what that is).

#pragma once

#include <array>
#include <cstdint>

#include "core/plane.h"

namespace octavo {

class ContrastHistogram {
 public:
  /// Counts a row of grey values.
  void add(const float* row, int width);
  void add(const ContrastHistogram& other);
  /// Something was counted.
  [[nodiscard]] float contrast() const;

 private:
  std::array<std::uint32_t, 4096> counts_{};
};

/// σ_r that follows from a contrast.
float sigma_r_of_contrast(float contrast);

namespace reference {

/// Of a grey image.
float contrast(const Plane& grey);

}  // namespace reference
}  // namespace octavo
