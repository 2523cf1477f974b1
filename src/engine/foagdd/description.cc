#include "engine/foagdd/description.h"

namespace octavo {

ScaleSpaceOptions scale_space_of(const FoagddOptions& options) {
  return {
      .first_octave = 0, .max_octaves = 1, .layers = 1, .sigma = options.descriptor_scale / 2, .luma = options.luma};
}

// Corners have one scale, so this ranks them by their measures. Rank::response would do so too, but choose otherwise
// among measures whose products with the scale are rounded to one number.
Budget budget_of(const FoagddOptions& options) {
  return {.max_features = options.max_features, .rank = Rank::scaled_response, .grid = options.grid};
}

SiftParts description_of(const FoagddOptions& options) {
  return {.scale_space = scale_space_of(options),
          .description = {.max_orientations = options.max_orientations,
                          .upright = options.upright,
                          .descriptor = options.descriptor},
          .budget = budget_of(options)};
}

}  // namespace octavo
