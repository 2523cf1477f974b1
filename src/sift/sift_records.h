// What SIFT's kernels and their host hand to each other, beside the pyramid's layout. Included inside a namespace.

/// Numbers that kernels count up: the first words of the tallies. After them come, where SiftOfKernel says, counts of
/// keypoints for each row, each 32 and each 1024 rows, a count of those put in place for each row, and a bit for each
/// grid point that an extremum has claimed; where there is a budget, what selection_records.h says.
OCTAVO_CONSTANT int extrema_counter = 0;
OCTAVO_CONSTANT int keypoint_counter = 1;
OCTAVO_CONSTANT int candidate_counter = 2;
OCTAVO_CONSTANT int counters = 32;  // 128 bytes

/// Rows are counted by ones, by 2^5 and by 2^10.
OCTAVO_CONSTANT int row_count_shift = 5;

/// [byte] of a candidate, and of what the order of a keypoint goes by.
OCTAVO_CONSTANT int candidate_bytes = 16;
OCTAVO_CONSTANT int place_bytes = 16;

/// The options that kernels need.
typedef struct SiftOfKernel {
  int octaves;
  int first_octave;  ///< −1 or 0
  int max_orientations;
  int upright;
  int has_mask;
  int image_width, image_height;  ///< [pixel] of the mask
  int candidate_capacity, extrema_capacity, keypoint_capacity;
  int row_counts_at[3], row_fill_at, claims_at;  ///< [word] in the tallies
  float sigma;
} SiftOfKernel;
