// Windows of any size and shape around a keypoint: where in the scale space each is taken (pooling.h), and the map from
// its pixels to the cells of the descriptor. Included inside a namespace that has the primitives of
// scalar_primitives.h and the functions of frame_maths.h.

/// An image of the scale space, and a σ in its pixels.
typedef struct LevelOfSize {
  int octave, layer;
  float scale;
} LevelOfSize;

/// The image whose blur is nearest to a σ given in pixels of some octave, on the logarithmic scale: of layers 1…S of
/// all octaves. Below the first one's range it is the first. Above the last one's range it is the last, and σ is cut to
/// the range.
OCTAVO_INLINE LevelOfSize level_of_size(PoolingRecord pooling, int octave, float scale) {
  LevelOfSize at;
  at.octave = octave;
  at.layer = 1;
  at.scale = scale;
  const float end = pooling.limit[pooling.layers];
  while (at.scale >= end && at.octave + 1 < pooling.octaves) {
    at.scale *= 0.5f;
    ++at.octave;
  }
  while (at.scale < pooling.limit[0] && at.octave > 0) {
    at.scale *= 2.0f;
    --at.octave;
  }
  at.scale = minimum(at.scale, end);
  while (at.layer < pooling.layers && at.scale >= pooling.limit[at.layer]) ++at.layer;
  return at;
}

/// The frame of a keypoint's window of one size. A pixel d away from the centre, with gradient g, is in column and row
/// cells·d + 1.5 of the descriptor, and its gradient in the frame of the keypoint is turn·g. Where cells are wide,
/// every second row and column is read: the image has a blur of a third of a cell, so they miss nothing, and a window
/// takes a quarter of the time.
OCTAVO_INLINE WindowFrame frame_of_window(PoolingRecord pooling, Oriented keypoint, float size) {
  const LevelOfSize at = level_of_size(pooling, keypoint.octave, keypoint.scale * size);
  const float factor = exp2_int(keypoint.octave - at.octave);
  const float x = (to_float(keypoint.extremum.column) + keypoint.extremum.column_offset) * factor;
  const float y = (to_float(keypoint.extremum.row) + keypoint.extremum.row_offset) * factor;
  const float cosine = cosine_of_turns(keypoint.turns), sine = sine_of_turns(keypoint.turns);
  const float cell = cell_width(at.scale), wide_cell = 5.0f;
  WindowFrame f;
  f.octave = at.octave;
  f.layer = at.layer;
  f.column = round_any_to_int(x);  // doubled images have up to 2^23 columns
  f.row = round_any_to_int(y);
  f.x = x - to_float(f.column);
  f.y = y - to_float(f.row);
  // The transposed product of the shape and the rotation, and its inverse. Both have determinant 1.
  const Shape s = keypoint.shape;
  f.turn11 = cosine * s.xx + sine * s.xy;
  f.turn12 = sine * s.yy;
  f.turn21 = cosine * s.xy - sine * s.xx;
  f.turn22 = cosine * s.yy;
  f.cells11 = f.turn22 / cell;
  f.cells12 = negate(f.turn21) / cell;
  f.cells21 = negate(f.turn12) / cell;
  f.cells22 = f.turn11 / cell;
  // The corners of the square of 5×5 cells are the farthest. One more pixel is for the fraction and for rounding.
  f.step = cell < wide_cell ? 1 : 2;
  f.reach_x = (round_to_int(2.5f * cell * (fabs(f.turn11) + fabs(f.turn21))) + 1) >> (f.step - 1);
  f.reach_y = (round_to_int(2.5f * cell * (fabs(f.turn12) + fabs(f.turn22))) + 1) >> (f.step - 1);
  f.vote = to_float(f.step * f.step) * 262144.0f;
  return f;
}
