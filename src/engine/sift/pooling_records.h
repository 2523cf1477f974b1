// The record of pooled descriptors that kernels and the host share. Included inside a namespace.

/// The largest number of sizes, of windows that vote for orientations, and of layers of an octave.
enum { most_sizes = 32, most_orientation_sizes = 2, most_layers = 8 };

/// The sizes of an extractor, and the limits between the images of a scale space. The host computes them once.
typedef struct PoolingRecord {
  int sizes;               ///< the number of sizes; 0: descriptors are not pooled
  int orientation_sizes;   ///< the number of windows that vote for orientations: of size 1, and 2
  int smoothings;          ///< of their histogram
  int octaves, layers;     ///< of the scale space
  float size[most_sizes];  ///< of the windows, in units of the keypoint's own
  /// limit[l]: σ0·2^((l + ½)/S) [pixel of the octave], where layer l = 1…S ends; limit[0] = limit[S]/2, exactly
  float limit[most_layers + 1];
} PoolingRecord;

/// The window of a keypoint on an image of the scale space: its centre, and linear maps of offsets and gradients.
typedef struct WindowFrame {
  int octave, layer;
  int row, column;       ///< the pixel nearest to the centre
  int step;              ///< [pixel] from a pixel that is read to the next, counted from there: 1 or 2
  int reach_x, reach_y;  ///< [step] beyond these distances no pixel touches a cell
  float vote;            ///< of a gradient of length 1 in the centre, for an orientation: step² in units of 2^−18
  float x, y;            ///< [pixel] from there to the centre, −½ … ½
  float cells11, cells12, cells21, cells22;
  float turn11, turn12, turn21, turn22;
} WindowFrame;

/// A window of a keypoint on a GPU, with the pixels that it reads.
typedef struct WindowRecord {
  int64_t pixel;                 ///< of the pyramid: the one nearest to the centre
  int stride;                    ///< [float]
  int step;                      ///< as above
  int left, right, top, bottom;  ///< [step] from that pixel: columns and rows that may touch a cell, inside the image
  float vote;                    ///< as above, as are those that follow
  float x, y;
  float cells11, cells12, cells21, cells22;
  float turn11, turn12, turn21, turn22;
} WindowRecord;
