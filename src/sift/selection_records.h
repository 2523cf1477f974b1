// What the budget's kernels (select_kernels.cl.h) and their host hand to each other. Included inside a namespace.

/// [byte] of a keypoint's key, and of its standing in its cell.
OCTAVO_CONSTANT int key_bytes = 4;
OCTAVO_CONSTANT int standing_bytes = 8;

/// Keys have 31 bits: a digit of 11, and two of 10.
OCTAVO_CONSTANT int key_digits = 3;
OCTAVO_CONSTANT int digit_bins = 2048;  // of each

/// A budget, and where its kernels count.
typedef struct SelectionOfKernel {
  int keypoint_capacity;
  int image_width, image_height;
  int budget;      ///< N, at least 1
  int by_scale;    ///< else by response
  int grid;        ///< G
  int share;       ///< ⌈N/G²⌉, of a cell
  int share_bits;  ///< the share is below 2^this
  int index_bits;  ///< so is the number of any keypoint
  /// [word] in the tallies: keys by their first digit, then by the second and the third of those that are undecided;
  /// two words after each digit, see Cut in select_kernels.cl.h; keypoints of each cell; of each row of cells; of each
  /// cell, those that are on its list.
  int bins_at, cuts_at, cells_at, cell_rows_at, cell_fill_at;
} SelectionOfKernel;
