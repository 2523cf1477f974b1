// Where corners are sought and what lies around the image, the same for hosts and kernels. Included inside a namespace,
// after the header that spells OCTAVO_CONSTANT.

/// Corners lie in the rows corner_border … height − corner_border, both included, and the columns likewise; neighbours
/// are looked at up to suppression_reach pixels away, and measured.
OCTAVO_CONSTANT int corner_border = 6;
OCTAVO_CONSTANT int suppression_reach = 2;
OCTAVO_CONSTANT int measured_border = 4;

/// The image is extended by so many mirrored pixels on every side, and zeros up to the margin: the largest filter
/// around the largest disc around a measured pixel.
OCTAVO_CONSTANT int mirrored_pixels = 7;
OCTAVO_CONSTANT int extended_margin = 16;

/// Index of the image's pixel that the extended one shows at i, or −1 for none; n ≥ mirrored_pixels.
OCTAVO_INLINE int extended_index(int i, int n) {
  if (i < -mirrored_pixels || i >= n + mirrored_pixels) return -1;
  return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

/// A candidate on a GPU's list. `stands` until a larger scale says otherwise.
typedef struct FoagddCandidate {
  int row, column, key, stands;
} FoagddCandidate;

/// Of a filter, what kernels get by value: see filters.h.
typedef struct FoagddFilterShape {
  int directions, radius, below, aside, taps;
} FoagddFilterShape;
