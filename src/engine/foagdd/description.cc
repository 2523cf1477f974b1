#include "engine/foagdd/description.h"

namespace octavo {

SiftOptions description_options(const FoagddOptions& o) {
  return {.first_octave = 0,
          .max_octaves = 1,
          .layers = 1,
          .sigma = o.descriptor_scale / 2,
          .assumed_blur = 0.5,
          .blur_truncate = 4,
          .contrast_threshold = 1,
          .max_orientations = o.max_orientations,
          .upright = o.upright,
          .luma = o.luma,
          .descriptor = o.descriptor,
          .max_features = o.max_features,
          .grid = o.grid};
}

}  // namespace octavo
