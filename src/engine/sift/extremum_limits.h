// The limits of the search for extrema, and its outcome for each point; the same for hosts and kernels. Included inside
// a namespace, after the header that defines OCTAVO_CONSTANT and OCTAVO_INLINE.

/// Rows and columns at the edge of an octave that the search leaves out (as in OpenCV).
OCTAVO_CONSTANT int extrema_border = 5;

/// The greatest distance of a refined point from its start, along rows and along columns [pixel of the octave].
/// Refinement reads one pixel more. Lowe names none: without it 5 of 1000 verdicts were others
/// (tests/agreement/test_refinement.py), nearly all of points that the later tests drop.
OCTAVO_CONSTANT int refinement_reach = 5;

/// Newton steps after which an extremum that does not settle is dropped (as in OpenCV).
OCTAVO_CONSTANT int refinement_steps = 5;

/// The limits that decide whether an extremum is kept, in the units of D.
typedef struct ExtremumLimits {
  int layers;       ///< S
  float candidate;  ///< |D| at the pixel must exceed this: half of t/S
  float contrast;   ///< S·|D(x̂)| must reach this: t
  /// (r + 1)²/r. tr²/det of the spatial Hessian must stay below it. 0: no test.
  float edge;
} ExtremumLimits;

/// The limits for an image of this contrast.
OCTAVO_INLINE ExtremumLimits limits_of_contrast(ExtremumLimits limits, float contrast) {
  limits.candidate *= contrast;
  limits.contrast *= contrast;
  return limits;
}

/// The outcome for a grid point where D is extreme.
typedef enum Refinement {
  refinement_done,  ///< it is kept
  /// It did not settle within refinement_steps, or left the octave's inner part or the reach.
  refinement_unstable,
  refinement_low_contrast,  ///< settled, but S·|D(x̂)| is below the contrast limit
  refinement_on_edge,       ///< settled with contrast, but fails the edge test
} Refinement;
