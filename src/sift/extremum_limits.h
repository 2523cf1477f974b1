// What bounds the search for extrema, and how it ends for each, the same for hosts and kernels. Included inside a
// namespace, after the header that spells OCTAVO_CONSTANT and OCTAVO_INLINE.

/// Rows and columns at the edge of an octave in which no extrema are sought (as OpenCV).
OCTAVO_CONSTANT int extrema_border = 5;

/// How far refinement may wander from where it began [pixel of the octave]; it reads one pixel more.
OCTAVO_CONSTANT int refinement_reach = 5;

/// Newton steps before an extremum that does not settle is given up (as OpenCV).
OCTAVO_CONSTANT int refinement_steps = 5;

/// What decides whether an extremum is kept, in the units of D.
typedef struct ExtremumLimits {
  int layers;       ///< S
  float candidate;  ///< |D| at the pixel must exceed this: half of t/S
  float contrast;   ///< S·|D(x̂)| must reach this: t
  float edge;       ///< (r + 1)²/r; tr²/det of the spatial Hessian must stay below; 0: no test
} ExtremumLimits;

/// Of an image of this contrast.
OCTAVO_INLINE ExtremumLimits limits_of_contrast(ExtremumLimits limits, float contrast) {
  limits.candidate *= contrast;
  limits.contrast *= contrast;
  return limits;
}

/// What became of a grid point where D is extreme.
typedef enum Refinement {
  refinement_done,          ///< it is kept
  refinement_unstable,      ///< did not settle within refinement_steps, or left the octave's inner part or the reach
  refinement_low_contrast,  ///< settled, but S·|D(x̂)| is below the contrast limit
  refinement_on_edge,       ///< settled with contrast, but fails the edge test
} Refinement;
