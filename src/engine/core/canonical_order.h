// The canonical order of keypoints, which does not depend on the device or on the order of detection: octave, layer, y,
// x, orientation. It is a total order: keypoints that are equal in all five are the same keypoint.

#pragma once

#include <tuple>

#include "octavo/keypoint.h"

namespace octavo {

inline bool canonically_before(const Keypoint& a, const Keypoint& b) {
  return std::tie(a.octave, a.layer, a.y, a.x, a.orientation) < std::tie(b.octave, b.layer, b.y, b.x, b.orientation);
}

}  // namespace octavo
