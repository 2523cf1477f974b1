// One tile's share of the pyramid, for the kernel that makes all of it in one launch. Included inside a namespace, after
// pyramid_layout.h.

/// Groups take tasks in order. A task waits until others, all of them before it in the order, have made what it reads:
/// each row of tiles has a counter of those that are done.
typedef struct PyramidTask {
  int octave;
  int level;                        ///< Gaussian image; S + 3: the extrema of the octave
  int tile_x, tile_y;               ///< of blur_rows rows; of extrema, tile_rows, which is the same
  int first_awaited, last_awaited;  ///< counters; none, if the last is before the first
  int awaited;                      ///< what each of them must have reached
  int counter;                      ///< which counts this task when it is done; −1: none
} PyramidTask;

/// What the filters of the images 0…5 of an octave are, for the default S = 3; those of image 0 serve the first octave.
typedef struct PyramidTaps {
  FewTaps level[6];
} PyramidTaps;
