// The sizes that the kernels of nearest neighbours and their host code share. Plain C, as both languages need.

#pragma once

enum {
  nearest_threads = 256,  // of a work-group, in every kernel

  // A work-group of the common scan: the number of its a's (rows), and the number of b's (columns) of a tile.
  nearest_common_rows = 64,
  nearest_common_columns = 64,

  // A work-group of the scan with tensor cores.
  nearest_tensor_rows = 256,
  nearest_tensor_columns = 128,
  nearest_merge_threads = 8,  // of a row, where its chunks are merged

  nearest_norm_rows = 64,  // rows whose norms a work-group computes

  nearest_descriptor_words = 32,  // 32-bit words of a descriptor
  nearest_result_words = 4        // of the two nearest of a row: two indices, then two squared distances
};

// A search, as kernels get it: the two nearest of each of `rows` descriptors from a_first on, among the `columns` from
// b_first on.
typedef struct SearchOfKernel {
  int a_first, rows, b_first, columns;
  int chunks;     // of the columns; 0: there is no search
  int out_first;  // place of the result of the first row
} SearchOfKernel;
