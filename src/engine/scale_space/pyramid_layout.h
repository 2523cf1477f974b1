// The layout of the Gaussian images of an image in one buffer of floats on a GPU. The host fills the table, kernels
// read it. Included inside a namespace, after the header that defines `int64_t`.

/// The images of one octave lie one after the other; rows start at multiples of 32 floats.
typedef struct OctaveLayout {
  int64_t first;         ///< [float] of its image 0 in the buffer
  int64_t level_floats;  ///< [float] from one image to the next
  int width;             ///< [pixel]
  int height;            ///< [pixel]
  int stride;            ///< [float] from row to row
  /// number of its first tile of tile_columns × tile_rows pixels; tiles of all octaves are counted together
  int first_tile;
  int tiles_across;  ///< tiles per row of tiles
  int first_row;     ///< number of its first row of keypoints: each row of pixels has S of them
} OctaveLayout;

/// Size of the tiles of the search for extrema.
OCTAVO_CONSTANT int tile_columns = 128;
OCTAVO_CONSTANT int tile_rows = 8;

/// Threads of a work-group, and the pixels of a row that it makes.
enum { grey_threads = 256, grey_columns = 4 * grey_threads, halve_threads = 256 };
enum { difference_threads = 128, difference_columns = 4 * difference_threads };

/// The part of a blur that a group makes: 256 threads filter 256 columns. The columns at the margins only serve the
/// columns next to them. Tall tiles read fewer pixels twice; flat ones keep more groups busy on a small image.
enum { blur_threads = 256, tall_rows = 32, middle_rows = 16, flat_rows = 8 };
OCTAVO_INLINE int margin_of_blur(int radius) { return (radius + 3) / 4 * 4; }
OCTAVO_INLINE int columns_of_blur(int radius) { return blur_threads - 2 * margin_of_blur(radius); }

/// The radii that are compiled as constants: 4 to 9 of the default options, 5 to 11 of the presets best, sfm and
/// signature, 5, 7, 8, 10 and 13 of Lowe's, and 3 of the preset tsp2023. For each radius: the number of groups of tall,
/// middle and flat tiles for which a multiprocessor has registers. With more groups they would spill.
#define OCTAVO_BLUR_RADII(F) \
  F(3, 4, 6, 8)              \
  F(4, 4, 6, 8)              \
  F(5, 4, 6, 8)              \
  F(6, 4, 5, 6)              \
  F(7, 4, 5, 6)              \
  F(8, 4, 5, 6)              \
  F(9, 4, 4, 5)              \
  F(10, 4, 4, 5)             \
  F(11, 3, 4, 5)             \
  F(13, 3, 4, 5)

/// Blurs of a small octave that follow each other in one launch (octave_tile.cl.h): their radii, at most four, and 0
/// for none. The first are the preset opencv's, then the default's, then those of best.
enum { chain_threads = 512, most_chained = 4, chain_side = 16 };
#define OCTAVO_BLUR_CHAINS(F) F(5, 7, 8, 0) F(4, 5, 6, 7) F(5, 6, 6, 0) F(7, 8, 0, 0)

/// The groups of first blurs for which a multiprocessor has registers.
enum { first_blur_groups = 5 };

/// The radii of first blurs that are compiled as constants: of the image doubled, which may have 8 bits, and of an
/// image of 8 bits as it is. 6 is that of the default options, 8 that of best and sfm, 5 and 7 are Lowe's.
#define OCTAVO_DOUBLED_BLUR_RADII(F) F(5) F(6) F(8)
#define OCTAVO_BYTES_BLUR_RADII(F) F(6) F(7) F(8)

/// The largest of them all.
enum { few_taps = 13 };
typedef struct FewTaps {
  float weight[few_taps + 1];
} FewTaps;

/// A group's tile for all other radii, up to most_taps − 1, and the columns on either side of it that also have sums.
enum { any_columns = 128, any_rows = 16, any_margin = 112 };

/// A symmetric filter that kernels get by value: weight[k] for the pixels at distance k on both sides.
enum { most_taps = 128 };
typedef struct TapsOfKernel {
  int radius;
  float weight[most_taps];
  int repeats;  ///< 1: beyond its edges the image's last pixels are repeated; 0: it is mirrored
} TapsOfKernel;
