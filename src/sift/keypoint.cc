#include "sift/keypoint.h"

#include "maths/scalar.h"

namespace octavo {

using namespace maths;

float scale_of(const Extremum& e, const SiftOptions& options) {
  const real level = (to_real(e.layer) + e.layer_offset) / to_real(options.layers);
  return static_cast<float>(options.sigma) * power_of_2(level);
}

Keypoint keypoint_of(const Oriented& o, const SiftOptions& options) {
  const int octave = options.first_octave + o.octave;
  const real pixel = power_of_two(octave);
  const Extremum& e = o.extremum;
  return {.x = (to_real(e.column) + e.column_offset) * pixel,
          .y = (to_real(e.row) + e.row_offset) * pixel,
          .scale = o.scale * pixel,
          .orientation = o.turns * 6.2831853071795865f,
          .response = absolute(e.value),
          .octave = octave,
          .layer = e.layer};
}

}  // namespace octavo
