// Sizes that the kernels of the compiler's probe (device_kernels.cl.h) and their host share. Included inside a
// namespace.

enum {
  probe_threads = 64,      ///< of a group, except in list_places
  arithmetic_results = 8,  ///< rows of arithmetic's output
  list_columns = 32,       ///< tile of list_places, a thread for each pixel
  list_rows = 8,
  list_threads = list_columns * list_rows,
  list_kinds = 17,
  tile_rows = 8,  ///< tile of smooth_tiles
  tile_reach = 3,
  tile_columns = probe_threads - 2 * tile_reach
};
