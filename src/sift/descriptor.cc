#include "sift/descriptor.h"

#include "maths/scalar.h"

namespace octavo {

using namespace maths;

int descriptor_radius(float scale) {
  return nearest(3.0f * scale * 3.5355339059327378f);  // √2·(4 + 1)/2 cells
}

DescriptorFrame descriptor_frame(const Oriented& keypoint) {
  const real cell = 3.0f * keypoint.scale;
  return {.radius = descriptor_radius(keypoint.scale),
          .cosine = cosine_of_turns(keypoint.turns) / cell,
          .sine = sine_of_turns(keypoint.turns) / cell,
          .deviation = 2.0f * cell};
}

}  // namespace octavo
