// The sizes that the kernels of nearest neighbours and their host code agree on. Plain C, as both languages are.

#pragma once

enum {
  nearest_threads = 256,  // of a group, in every kernel

  // A group of the common scan: so many a's (rows) against tiles of so many b's (columns).
  nearest_common_rows = 64,
  nearest_common_columns = 64,

  // A group of the scan with tensor cores.
  nearest_tensor_rows = 256,
  nearest_tensor_columns = 128,

  nearest_norm_rows = 64  // that a group measures
};
