#pragma once

// Keypoints that two frames have at the same place.

#include <vector>

#include "multiview/places/overlays.h"

namespace octavo::places {

/// Of each keypoint of both frames whether the other frame has one like it at its place.
struct Staying {
  std::vector<bool> a, b;
};

/// Compares keypoints at the same shares of width and height by scale, orientation and descriptor. So equal letters at
/// other places do no harm. None stays where all of the frame does: what stays fills most of the middle of the frames
/// and most of what is around it.
Staying staying_keypoints(const SeenFrame& a, const SeenFrame& b);

}  // namespace octavo::places
