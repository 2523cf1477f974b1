// The trilateral filter as plain loops: the definition that every device must reproduce bit for bit.

#pragma once

#include <cstddef>
#include <memory>

#include "engine/core/internal_api.h"
#include "engine/device/stage_clock.h"
#include "engine/trilateral/trilateral.h"

namespace OCTAVO_INTERNAL_API octavo {

namespace reference {

/// √(gx² + gy²) of each pixel, in grey values per pixel.
void gradient_sizes(const Plane& grey, Plane& out);

/// 0.15 times the range of the gradients' magnitudes.
float sigma_r_of_gradients(const Plane& grey);

/// Filters `grey` with any σ_r to `out`, which must be another plane. `levels` receives the levels of its pixels.
void trilateral(const Plane& grey, const TrilateralPlan& plan, float sigma_r, Plane& out, TrilateralLevels& levels,
                StageClock& clock);

/// [byte] that `trilateral` takes beside its input and its output: the scaled image, its gradients, and the levels.
inline std::size_t bytes_of_trilateral(int width, int height) {
  return 4 * Plane::bytes_of(width, height) + static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

}  // namespace reference

std::unique_ptr<TrilateralEngine> make_trilateral_reference(const TrilateralOptions& options);

}  // namespace octavo
