// The records that the budget's kernels (select_kernels.cl.h) and the host exchange. Included inside a namespace.

/// [byte] of the key of a keypoint, and of its sort key in its cell.
OCTAVO_CONSTANT int key_bytes = 4;
OCTAVO_CONSTANT int sort_key_bytes = 8;

/// Threads of a work-group of every selection kernel.
enum { select_threads = 256 };

/// How far keys are decided: keys whose digits so far are below `prefix` are dropped, keys above it stay, and of those
/// equal to it `wanted` stay.
typedef struct CutRecord {
  unsigned prefix, wanted;
} CutRecord;

/// Keys have 31 bits: one digit of 11 bits and two of 10 bits.
OCTAVO_CONSTANT int key_digits = 3;
OCTAVO_CONSTANT int digit_bins = 2048;  // of each digit

/// [word] of a CutRecord in the tallies.
OCTAVO_CONSTANT int words_of_cut = 2;

/// A budget, and the places of the counters of its kernels.
typedef struct SelectionOfKernel {
  int keypoint_capacity;
  int image_width, image_height;
  int budget;      ///< N, at least 1
  int rank;        ///< octavo::Rank
  int grid;        ///< G
  int share;       ///< ⌈N/G²⌉, of a cell
  int share_bits;  ///< the share is below 2^share_bits
  int index_bits;  ///< every keypoint's index is below 2^index_bits
  /// [word] in the tallies: the keys by their first digit, then the undecided keys by the second and the third digit; a
  /// CutRecord after each digit; the number of keypoints in each cell, in each row of cells, and on the list of each
  /// cell.
  int bins_at, cuts_at, cells_at, cell_rows_at, cell_fill_at;
} SelectionOfKernel;
