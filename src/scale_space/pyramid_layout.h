// Where the Gaussian images of a picture lie in one buffer of floats on a GPU. The host fills the table, kernels read
// it. Included inside a namespace, after the header that spells `wide`.

/// The images of one octave lie one after the other; rows start at multiples of 32 floats.
typedef struct OctaveLayout {
  wide first;         ///< [float] of its image 0 in the buffer
  wide level_floats;  ///< [float] from one image to the next
  int width;          ///< [pixel]
  int height;         ///< [pixel]
  int stride;         ///< [float] from row to row
  int first_tile;     ///< number of its first tile of tile_columns × tile_rows pixels among those of all octaves
  int tiles_across;   ///< tiles in a row of them
  int first_row;      ///< number of its first row of keypoints: S rows of them for each row of pixels
} OctaveLayout;

/// Tiles in which extrema are sought.
OCTAVO_CONSTANT int tile_columns = 128;
OCTAVO_CONSTANT int tile_rows = 16;

/// A group's share of a blur: 256 threads filter as many columns, of which the margins only serve the rows beside them.
/// Tall tiles read less twice; flat ones keep more groups at work on a small image.
OCTAVO_CONSTANT int blur_threads = 256;
OCTAVO_CONSTANT int tall_rows = 32;
OCTAVO_CONSTANT int middle_rows = 16;
OCTAVO_CONSTANT int flat_rows = 8;
OCTAVO_INLINE int margin_of_blur(int radius) { return (radius + 3) / 4 * 4; }
OCTAVO_INLINE int columns_of_blur(int radius) { return blur_threads - 2 * margin_of_blur(radius); }

/// The largest radius that is compiled as a constant, as those of the default options are.
OCTAVO_CONSTANT int few_taps = 13;
typedef struct FewTaps {
  float weight[14];
} FewTaps;

/// A symmetric filter as kernels get it, by value: weight[k] for the pixels k to either side.
OCTAVO_CONSTANT int most_taps = 128;
typedef struct TapsOfKernel {
  int radius;
  float weight[128];
} TapsOfKernel;
