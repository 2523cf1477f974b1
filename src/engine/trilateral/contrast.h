// The contrast of an image on hosts. contrast_maths.h defines it.

#pragma once

#include <array>
#include <cstdint>

#include "engine/core/plane.h"
#include "engine/trilateral/trilateral.h"

namespace octavo {

class ContrastHistogram {
 public:
  /// Adds a row of grey values to the histogram.
  void add(const float* row, int width);
  void add(const ContrastHistogram& other);
  /// True if the histogram is not empty.
  [[nodiscard]] float contrast() const;

 private:
  std::array<std::uint32_t, contrast_bins> counts_{};
};

/// σ_r for a contrast.
float sigma_r_of_contrast(float contrast);

namespace reference {

/// The contrast of a grey image.
float contrast(const Plane& grey);

}  // namespace reference
}  // namespace octavo
