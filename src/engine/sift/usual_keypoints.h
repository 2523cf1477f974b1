// The number of keypoints to expect of an image, before it is looked at.

#pragma once

#include <cstddef>

namespace octavo {

/// Photographs have about one keypoint for every 600 pixels of their first octave.
constexpr std::size_t usual_keypoints(std::size_t pixels_of_first_octave) { return pixels_of_first_octave / 600 + 64; }

}  // namespace octavo
