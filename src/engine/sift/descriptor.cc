#include "engine/sift/descriptor.h"

#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
#include "engine/sift/frame_maths.h"

int descriptor_radius(float scale) { return radius_of_descriptor(scale); }

DescriptorFrame descriptor_frame(const Oriented& keypoint) {
  const float_v cell = cell_width(keypoint.scale);
  return {.radius = descriptor_radius(keypoint.scale),
          .cosine = cosine_of_turns(keypoint.turns) / cell,
          .sine = sine_of_turns(keypoint.turns) / cell,
          .deviation = 2.0f * cell};
}

}  // namespace octavo
