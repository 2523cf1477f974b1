// The steps before and after the votes of a descriptor: its window, and the conversion of 128 sums to bytes. They are
// the same on every device.

#pragma once

#include <array>
#include <cstdint>

#include "engine/extract/oriented.h"
#include "octavo/choices.h"
#include "octavo/keypoint.h"

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

/// The radius of the window, for σ in pixels of the octave.
int descriptor_radius(float scale);

}  // namespace octavo
