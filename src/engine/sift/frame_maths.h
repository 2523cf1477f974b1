// The meaning of a keypoint's position in the scale space: its σ, its windows, its place in the image. Included inside
// a namespace that has the primitives of scalar_primitives.h.

/// σ of an extremum [pixel of the octave]: σ0·2^((layer + offset)/S).
OCTAVO_INLINE float_v scale_at(int_v layer, float_v offset, int_v layers, float_v sigma) {
  return sigma * exp2_float((to_float(layer) + offset) / to_float(layers));
}

/// Converts a coordinate of the octave to pixels of the image. Pixel i of the doubled image lies at i/2.
OCTAVO_INLINE float_v image_coordinate(int_v at, float_v offset, int_v octave) {
  return (to_float(at) + offset) * exp2_int(octave);
}

OCTAVO_INLINE float_v radians_of(float_v turns) { return turns * splat(6.2831853071795865f); }

/// Radius of the orientation's window [pixel of the octave]: 3·1.5σ, rounded to the nearest.
OCTAVO_INLINE int_v radius_of_orientation(float_v scale) { return round_to_int(splat(4.5f) * scale); }

/// The width of the descriptor's cells [pixel of the octave].
OCTAVO_INLINE float_v cell_width(float_v scale) { return splat(3.0f) * scale; }

/// Half the side of the upright square that contains the turned square of the descriptor: √2·(4 + 1)/2 cells.
OCTAVO_INLINE int_v radius_of_descriptor(float_v scale) {
  return round_to_int(splat(3.0f) * scale * splat(3.5355339059327378f));
}

/// The orientation of an ellipse in the image: the angle of the column (a11, a21), in [0, 1) turns. The angle ascends
/// with the orientation in the frame of the shape, whose x axis is the image's.
OCTAVO_INLINE float_v turns_in_image(float_v a11, float_v a21) {
  const float_v turns = angle_in_turns(a21, a11);
  return turns < splat(1.0f) ? turns : splat(0.99999994f);
}
