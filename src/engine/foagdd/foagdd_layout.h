// The region of corners, the extension of the image, and the shapes of the kernels' work-groups, for hosts and kernels.
// Included inside a namespace, after the header that defines OCTAVO_CONSTANT.

/// The limits of the options, and the reach of the filters' taps [pixel].
enum { most_directions = 16, largest_window = 11, farthest_tap = 15 };

/// Threads of a work-group. Unless noted, each thread processes a pixel of a row.
enum {
  extend_threads = 256,
  respond_threads = 256,
  respond_side = 32,  ///< [pixel] of the square that a group of respond makes
  measure_threads = 512,
  measure_columns = 32,  ///< [pixel] of a group's tile in measure_8, a pixel a thread
  measure_rows = 16,
  measure_any_threads = 64,
  find_threads = 256,
  verify_threads = 64,  ///< the group processes one candidate at a time
  corner_threads = 64   ///< corners_to_extrema, extrema_to_corners: each thread processes a corner
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

/// A candidate on a GPU's list. `stands` is cleared if a larger scale rejects it.
typedef struct FoagddCandidate {
  int row, column, key, stands;
} FoagddCandidate;

/// The part of a filter that kernels get by value; see filters.h.
typedef struct FoagddFilterShape {
  int directions, radius, below, aside, taps;
} FoagddFilterShape;
