#include "engine/sift/extrema.h"

namespace octavo {

ExtremumLimits extremum_limits(const SiftOptions& options) {
  const double r = options.edge_threshold;
  return {.layers = options.layers,
          .candidate = static_cast<float>(0.5 * options.contrast_threshold / options.layers),
          .contrast = static_cast<float>(options.contrast_threshold),
          .edge = r == 0 ? 0 : static_cast<float>((r + 1) * (r + 1) / r)};
}

}  // namespace octavo
