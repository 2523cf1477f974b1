#include "engine/sift/keypoint.h"

#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
#include "engine/sift/frame_maths.h"

float scale_of(const Extremum& e, const ScaleSpaceOptions& scale_space) {
  return scale_at(e.layer, e.layer_offset, scale_space.layers, static_cast<float>(scale_space.sigma));
}

void set_ellipse(Keypoint& keypoint, const Oriented& o) {
  const float_v cosine = cosine_of_turns(o.turns), sine = sine_of_turns(o.turns);
  keypoint.a11 = keypoint.scale * (cosine * o.shape.xx + sine * o.shape.xy);
  keypoint.a12 = keypoint.scale * (cosine * o.shape.xy - sine * o.shape.xx);
  keypoint.a21 = keypoint.scale * (sine * o.shape.yy);
  keypoint.a22 = keypoint.scale * (cosine * o.shape.yy);
  keypoint.orientation = radians_of(turns_in_image(keypoint.a11, keypoint.a21));
}

Keypoint keypoint_of(const Oriented& o, const SiftParts& parts) {
  const int octave = parts.scale_space.first_octave + o.octave;
  const Extremum& e = o.extremum;
  Keypoint keypoint{.x = image_coordinate(e.column, e.column_offset, octave),
                    .y = image_coordinate(e.row, e.row_offset, octave),
                    .scale = o.scale * exp2_int(octave),
                    .orientation = radians_of(o.turns),
                    .response = fabs(e.value),
                    .octave = octave,
                    .layer = e.layer};
  if (parts.description.affine) set_ellipse(keypoint, o);
  return keypoint;
}

}  // namespace octavo
