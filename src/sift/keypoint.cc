#include "sift/keypoint.h"

#include "maths/scalar.h"

namespace octavo {

using namespace maths;
#include "sift/frame_maths.h"

float scale_of(const Extremum& e, const SiftOptions& options) {
  return scale_at(e.layer, e.layer_offset, options.layers, static_cast<float>(options.sigma));
}

Keypoint keypoint_of(const Oriented& o, const SiftOptions& options) {
  const int octave = options.first_octave + o.octave;
  const Extremum& e = o.extremum;
  return {.x = image_coordinate(e.column, e.column_offset, octave),
          .y = image_coordinate(e.row, e.row_offset, octave),
          .scale = o.scale * exp2_int(octave),
          .orientation = radians_of(o.turns),
          .response = fabs(e.value),
          .octave = octave,
          .layer = e.layer};
}

}  // namespace octavo
