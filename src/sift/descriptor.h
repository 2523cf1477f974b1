// What surrounds the descriptor's votes: the window they come from, and how 128 sums become bytes; the same on every
// device.

#pragma once

#include <array>
#include <cstdint>

#include "octavo/keypoint.h"
#include "octavo/sift_options.h"
#include "sift/oriented.h"

namespace octavo {

/// Sums of votes in units of 2^−20: (row·4 + column)·8 + direction.
using DescriptorHistogram = std::array<std::int32_t, descriptor_length>;

/// The turned frame of a keypoint's descriptor.
struct DescriptorFrame {
  int radius = 0;    ///< [pixel] half the side of the upright square that holds the turned one
  float cosine = 0;  ///< of the orientation, divided by the cell width
  float sine = 0;
  float deviation = 0;  ///< [pixel] of the Gaussian window: half the descriptor's width
};
DescriptorFrame descriptor_frame(const Oriented& keypoint);

/// Its radius, for σ in pixels of the octave.
int descriptor_radius(float scale);

}  // namespace octavo
