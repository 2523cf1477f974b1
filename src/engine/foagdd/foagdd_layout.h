// The region of corners, the extension of the image, and the shapes of the kernels' work-groups, for hosts and kernels.
// Included inside a namespace, after the header that defines OCTAVO_CONSTANT.

/// The limits of the options, and the reach of the filters' taps [pixel].
enum { most_directions = 16, largest_window = 11, farthest_tap = 15 };

/// Threads of a work-group. Unless noted, each thread processes a pixel of a row.
enum {
  extend_threads = 256,
  extend_pixels = 4,  ///< of a row, extend_threads apart, of a thread
  respond_side = 32,  ///< [pixel] of the square that a group of respond makes, four pixels a thread
  respond_threads = respond_side * respond_side / 4,
  measure_quads = 7,  ///< four pixels each: the columns of a group's strip in measure_8, a thread's for each pair
  measure_step = 7,   ///< rows of responses that the group reads at a time
  measure_steps = 9,
  measure_rows = measure_step * measure_steps - 6,  ///< [pixel] of a strip: less the disc's reach
  measure_threads = 256,                            ///< 7 quads of 36 pairs of directions, and 4 more for whole warps
  measure_any_threads = 64,
  find_threads = 256,
  find_pixels = 4,  ///< of a row, find_threads apart, of a thread
  verify_threads = 32,
  corner_threads = 64  ///< corners_to_extrema, extrema_to_corners: each thread processes a corner
};

/// Corners lie in the rows corner_border … height − corner_border, both included, and in the same range of columns.
/// Neighbours up to suppression_reach pixels away are compared, and so are measured too.
OCTAVO_CONSTANT int corner_border = 6;
OCTAVO_CONSTANT int suppression_reach = 2;
OCTAVO_CONSTANT int measured_border = 4;

/// The image is extended by this many mirrored pixels on every side, and by zeros up to the margin: farthest_tap plus
/// the reach of the largest disc, 5, around the last measured pixel, 3 pixels before the edge.
OCTAVO_CONSTANT int mirrored_pixels = 7;
OCTAVO_CONSTANT int extended_margin = 17;

/// Index of the pixel that the extended image shows at i, or −1 for none; n ≥ mirrored_pixels.
OCTAVO_INLINE int extended_index(int i, int n) {
  if (i < -mirrored_pixels || i >= n + mirrored_pixels) return -1;
  return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

/// The position of a tap of a filter, or of the quadruple of pixels that is added up for it.
typedef struct FoagddTap {
  int down;   ///< i ≥ 0 [pixel]
  int right;  ///< j ≥ 0 [pixel]
} FoagddTap;

/// Taps that follow each other along a row, as kernels read them: those at (down, 4·quads + 1 … 4·quads + count), count
/// up to 4. Each tap straight below is a run.
typedef struct FoagddRun {
  int down, quads, count;
} FoagddRun;

/// A candidate on a GPU's list. `stands` is cleared if a larger scale rejects it.
typedef struct FoagddCandidate {
  int row, column, key, stands;
} FoagddCandidate;

/// A filter as kernels read it; see filters.h. Its runs and taps follow those of the filters before it.
typedef struct FoagddFilterShape {
  int directions, radius;
  int below, aside, runs;  ///< numbers of runs: straight below, aside, all
  int taps;                ///< number
  int first_run, first_tap;
} FoagddFilterShape;
