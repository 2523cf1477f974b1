// A keypoint between detection and description: its place in its octave, and its orientation.

#pragma once

#include "extract/extremum.h"

namespace octavo {

/// Everything the descriptor needs of a keypoint.
struct Oriented {
  int octave = 0;  ///< index from 0
  Extremum extremum;
  float scale = 0;  ///< σ [pixel of the octave]
  float turns = 0;  ///< orientation, [0, 1) of a full turn from +x towards +y
};

}  // namespace octavo
