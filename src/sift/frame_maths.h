// What a keypoint's position in the scale space means: its σ, its windows, its place in the image. Included inside a
// namespace that has the words of scalar_words.h.

/// σ of an extremum [pixel of the octave]: σ0·2^((layer + offset)/S).
OCTAVO_INLINE real scale_at(integer layer, real offset, integer layers, real sigma) {
  return sigma * power_of_2((to_real(layer) + offset) / to_real(layers));
}

/// A coordinate of the octave in pixels of the image; pixel i of the doubled image sits at i/2.
OCTAVO_INLINE real image_coordinate(integer at, real offset, integer octave) {
  return (to_real(at) + offset) * power_of_two(octave);
}

OCTAVO_INLINE real radians_of(real turns) { return turns * constant(6.2831853071795865f); }

/// Radius of the orientation's window [pixel of the octave]: 3·1.5σ, rounded to the nearest.
OCTAVO_INLINE integer radius_of_orientation(real scale) { return nearest(constant(4.5f) * scale); }

/// The descriptor's cells are this wide [pixel of the octave].
OCTAVO_INLINE real cell_width(real scale) { return constant(3.0f) * scale; }

/// Half the side of the upright square that holds the descriptor's turned one: √2·(4 + 1)/2 cells.
OCTAVO_INLINE integer radius_of_descriptor(real scale) {
  return nearest(constant(3.0f) * scale * constant(3.5355339059327378f));
}
