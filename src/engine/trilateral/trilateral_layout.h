// Levels and windows of the trilateral filter, and the shapes of its kernels' work-groups, for hosts and kernels.
// Included inside a namespace, after the header that defines OCTAVO_CONSTANT.

enum {
  most_reach = 184,     ///< [pixel] the greatest reach of a window
  most_levels = 22,     ///< the greatest level
  most_smoothing = 15,  ///< [pixel] the greatest reach of a square of smoothed gradients
  near_reach = 11,      ///< [pixel] windows up to this reach are summed tile by tile
  contrast_bins = 4096  ///< bins of the histogram of grey values
};

/// Threads of a work-group and its tile [pixel]. Without a tile, each thread processes a pixel of a row.
enum {
  row_threads = 256,  ///< to_grey, find_range, count_greys, to_scaled
  contrast_threads = 256,
  levels_threads = 256,
  levels_side = 32,
  smooth_threads = 256,
  smooth_columns = 32,  ///< each thread processes a pixel
  smooth_rows = 8,
  near_threads = 256,
  near_columns = 32,
  near_rows = 16,
  order_threads = 256,  ///< count_levels, list_pixels
  order_columns = 32,   ///< each thread processes a pixel
  order_rows = 8,
  begin_threads = 32,
  far_threads = 128  ///< each thread processes a pixel
};

/// The values that σ_r depends on, as 32-bit words. The first two are ∞ minus the least gradient, and the largest
/// gradient, as bits of floats. These are not negative, so their bits have the same order, and atomic maxima raise both
/// from 0. If the third word is not 0, σ_r is the fourth.
enum { range_words = 4 };

/// The number of pixels of each level, as 32-bit words, the highest level first. The first word stays free.
enum { level_counts = most_levels + 2 };

/// The parameters that kernels get by value. The level of a pixel is the distance [pixel] up to which the gradients
/// around it are similar. A window reaches the same number of pixels to each side of its centre, and contains the
/// pixels of the disc around the centre.
typedef struct TrilateralShape {
  int certified;    ///< 0: windows double from level to level
  int most_levels;  ///< the greatest level
  int reach;        ///< [pixel] of the largest window
  /// [pixel] Reach of the window in which gradients are smoothed; 0: no smoothing.
  int smoothing;
} TrilateralShape;

/// The reach of the window of a level [pixel].
OCTAVO_INLINE int reach_of_level(int level, int certified, int most) {
  const int reach = certified != 0 ? level : (1 << level) / 2;
  return reach < most ? reach : most;
}
