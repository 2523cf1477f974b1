// Affine shapes as kernels and the host see them. Included inside a namespace, after pooling_records.h.

/// [σ of the keypoint] the blur of the gradients, and the deviation of the window of second moments.
OCTAVO_CONSTANT float derivative_size = 1.0f;
OCTAVO_CONSTANT float integration_size = 2.0f;
/// [deviation] where the window ends.
OCTAVO_CONSTANT float window_end = 2.5f;
/// The largest ratio of the axes.
OCTAVO_CONSTANT float longest_shape = 4.0f;
OCTAVO_CONSTANT int shape_steps = 4;

/// The window of a keypoint's second moments.
typedef struct ShapeWindow {
  int octave, layer;
  int row, column;  ///< the pixel nearest to the centre
  float x, y;       ///< [pixel] from there to the centre, −½ … ½
  float factor;     ///< of the Gaussian, as window_factor
  float limit;      ///< [pixel²] of the radius, in the frame of the shape
} ShapeWindow;
