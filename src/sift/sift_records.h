// What SIFT's kernels and their host hand to each other, beside the pyramid's layout. Included inside a namespace.

/// Numbers that kernels count up: the first words of the tallies. After them come, where SiftOfKernel says, counts of
/// keypoints for each row, each 32 and each 1024 rows, a count of those put in place for each row, and a bit for each
/// grid point that an extremum has claimed; where there is a budget, what SelectionOfKernel says.
OCTAVO_CONSTANT int extrema_counter = 0;
OCTAVO_CONSTANT int keypoint_counter = 1;
OCTAVO_CONSTANT int candidate_counter = 2;
OCTAVO_CONSTANT int counters = 32;  // 128 bytes

/// Rows are counted by ones, by 2^5 and by 2^10.
OCTAVO_CONSTANT int row_count_shift = 5;

/// [byte] of a candidate, of what the order of a keypoint goes by, of its key (select_kernels.cl.h), and of its
/// standing in its cell.
OCTAVO_CONSTANT int candidate_bytes = 16;
OCTAVO_CONSTANT int place_bytes = 16;
OCTAVO_CONSTANT int key_bytes = 4;
OCTAVO_CONSTANT int standing_bytes = 8;

/// Keys have 31 bits: a digit of 11, and two of 10.
OCTAVO_CONSTANT int key_digits = 3;
OCTAVO_CONSTANT int digit_bins = 2048;  // of each

/// The options that kernels need.
typedef struct SiftOfKernel {
  int octaves;
  int first_octave;  ///< −1 or 0
  int max_orientations;
  int upright;
  int rootsift;
  int has_mask;
  int image_width, image_height;  ///< [pixel] of the mask
  int candidate_capacity, extrema_capacity, keypoint_capacity;
  int row_counts_at[3], row_fill_at, claims_at;  ///< [word] in the tallies
  float sigma;
} SiftOfKernel;

/// A budget, and where its kernels count, [word] in the tallies.
typedef struct SelectionOfKernel {
  int budget;      ///< N, at least 1
  int by_scale;    ///< else by response
  int grid;        ///< G
  int share;       ///< ⌈N/G²⌉, of a cell
  int share_bits;  ///< the share is below 2^this
  int index_bits;  ///< so is the number of any keypoint
  int bins_at;     ///< keys by their first digit, then by the second and third of those that are not decided
  int cuts_at;     ///< two words after each digit: see Cut in select_kernels.cl.h
  int cells_at;    ///< keypoints of each cell
  int cell_rows_at, cell_fill_at;  ///< of each row of cells; of those put in place, of each cell
} SelectionOfKernel;
