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
  const real shift = options.first_octave == -1 ? -0.25f : 0.0f;
  const Extremum& e = o.extremum;
  return {.x = fused(to_real(e.column) + e.column_offset, pixel, shift),
          .y = fused(to_real(e.row) + e.row_offset, pixel, shift),
          .scale = o.scale * pixel,
          .orientation = o.turns * 6.2831853071795865f,
          .response = absolute(e.value),
          .octave = octave,
          .layer = e.layer};
}

}  // namespace octavo
