// A keypoint between detection and description: its place in its octave, and its orientation.

#pragma once

#include "engine/extract/extremum.h"

namespace octavo {

/// The shape of a keypoint's ellipse: a matrix of determinant 1 that maps the circle of radius σ to it. The matrix is
/// upper triangular: the x axis of the keypoint's upright frame is that of the image.
struct Shape {
  float xx = 1, xy = 0, yy = 1;
};

/// Everything the descriptor needs of a keypoint.
struct Oriented {
  int octave = 0;  ///< index from 0
  Extremum extremum;
  float scale = 0;  ///< σ [pixel of the octave]
  float turns = 0;  ///< orientation in the frame of the shape, [0, 1) of a full turn from +x towards +y
  Shape shape{};
};

}  // namespace octavo
