// Exact nearest neighbours of 128-byte descriptors on GPUs. A group of threads takes several a's (rows) and processes
// tiles of b's (columns). Nothing of size N×M is stored. If one group per block of rows would leave the GPU idle, the
// columns are also cut into chunks, whose results merge_chunks joins. A launch runs the search there and the search
// back, each of which would leave a part of the GPU idle.
//
// Within a row, d² = |a|² + |b|² − 2·a·b is ordered as v = |b|² − 2·a·b, which lies within ±2²³: never below −|a|²,
// never above |b|². A pair's key is v·256 + the column's number within its thread's segment of columns: exactly the
// range of a signed 32-bit integer. Keys order the pairs of a thread by (d², index), so the two smallest are kept by
// minimum and maximum alone. At the end of a segment the keys are unpacked, since its numbers are used up.
//
// nearest_kernels.cu replaces scan_pairs by one with tensor cores, and merge_chunks, under NEAREST_SCAN_ELSEWHERE.

#include "engine/match/nearest_shape.h"
#include "engine/maths/kernel_primitives.h"

// The key of a missing column: greater than any key (v ≤ 128·255²). Its value is greater than any value.
#define ABSENT_KEY 0x7fffffff
#define ABSENT_VALUE (ABSENT_KEY >> 8)

#define WORDS nearest_descriptor_words

// The two smallest (value, index) so far.
typedef struct {
  int value1, index1, value2, index2;
} BestTwo;

OCTAVO_INLINE BestTwo nothing_yet(void) {
  BestTwo two;
  two.value1 = two.value2 = ABSENT_VALUE;
  two.index1 = two.index2 = -1;
  return two;
}

OCTAVO_INLINE bool comes_before(int value, int index, int other_value, int other_index) {
  return value < other_value || (value == other_value && index < other_index);
}

// Offers of ABSENT_VALUE change nothing, whatever their index.
OCTAVO_INLINE void keep_two(BestTwo* two, int value, int index) {
  if (value == ABSENT_VALUE) return;
  if (comes_before(value, index, two->value1, two->index1)) {
    two->value2 = two->value1;
    two->index2 = two->index1;
    two->value1 = value;
    two->index1 = index;
  } else if (comes_before(value, index, two->value2, two->index2)) {
    two->value2 = value;
    two->index2 = index;
  }
}

// NearestTwo as in memory: two indices, two distances. `norm` is |a|².
OCTAVO_INLINE void write_two(GLOBAL uint* at, BestTwo two, int norm) {
  at[0] = (uint)two.index1;
  at[1] = (uint)two.index2;
  at[2] = two.index1 < 0 ? 0xffffffffu : (uint)(two.value1 + norm);
  at[3] = two.index2 < 0 ? 0xffffffffu : (uint)(two.value2 + norm);
}

// unsigned, since intermediate results may wrap
OCTAVO_INLINE int key_of(int term, int dot) { return (int)((uint)term - 512u * (uint)dot); }

// Σ aᵢ·bᵢ of four bytes each.
OCTAVO_INLINE int dot4(uint a, uint b) {
  return (int)((a & 255u) * (b & 255u) + ((a >> 8) & 255u) * ((b >> 8) & 255u) +
               ((a >> 16) & 255u) * ((b >> 16) & 255u) + (a >> 24) * (b >> 24));
}

// norms[i] = |descriptor i|².
KERNEL WORK_GROUP_SIZE(nearest_threads) void measure_norms(GLOBAL const uint* descriptors, int count,
                                                           GLOBAL int* norms) {
  await_previous_kernel();
  LOCAL int squares[nearest_norm_rows * (WORDS + 1)];
  const int first = group_id_x * nearest_norm_rows;
  const int rows = min((int)nearest_norm_rows, count - first);
  for (int i = local_id_x; i < rows * WORDS; i += nearest_threads) {
    const uint x = descriptors[(int64_t)first * WORDS + i];
    squares[i / WORDS * (WORDS + 1) + i % WORDS] = dot4(x, x);
  }
  local_barrier();
  if (local_id_x < rows) {
    int sum = 0;
    for (int k = 0; k < WORDS; ++k) sum += squares[local_id_x * (WORDS + 1) + k];
    norms[first + local_id_x] = sum;
  }
}

// What a group does of the two searches: rows of one of them, `group_rows` from first_row on, in a chunk.
typedef struct PartOfSearch {
  SearchOfKernel search;
  bool is_back;
  int chunk, first_row;
} PartOfSearch;

// groups: those of the search there, then those back. A group that merges has all chunks of its rows.
OCTAVO_INLINE PartOfSearch part_of_group(const SearchOfKernel there, const SearchOfKernel back, int group_rows,
                                         bool merges) {
  PartOfSearch part;
  const int before = (there.rows + group_rows - 1) / group_rows * (merges ? 1 : there.chunks);
  part.is_back = group_id_x >= before;
  part.search = there;
  if (part.is_back) part.search = back;
  const int group = part.is_back ? group_id_x - before : group_id_x;
  const int row_groups = (part.search.rows + group_rows - 1) / group_rows;
  part.chunk = group / row_groups;
  part.first_row = group % row_groups * group_rows;
  return part;
}

// The NearestTwo of a row in a chunk of a search: the search there has the first ones.
OCTAVO_INLINE int64_t place_in_partial(const SearchOfKernel there, bool is_back, int rows, int chunk, int row) {
  return (is_back ? (int64_t)there.chunks * there.rows : 0) + (int64_t)chunk * rows + row;
}

#ifndef NEAREST_SCAN_ELSEWHERE

// out[row] = the two nearest of the chunks' NearestTwo. A thread has a row.
KERNEL WORK_GROUP_SIZE(nearest_threads) void merge_chunks(GLOBAL const uint* partial, const SearchOfKernel there,
                                                          const SearchOfKernel back, GLOBAL uint* out) {
  await_previous_kernel();
  const PartOfSearch part = part_of_group(there, back, nearest_threads, true);
  const SearchOfKernel s = part.search;
  const int row = part.first_row + local_id_x;
  if (row >= s.rows) return;
  BestTwo two = nothing_yet();
  for (int chunk = 0; chunk < s.chunks; ++chunk) {
    GLOBAL const uint* from =
        partial + place_in_partial(there, part.is_back, s.rows, chunk, row) * nearest_result_words;
    keep_two(&two, min(from[2], (uint)ABSENT_VALUE), (int)from[0]);
    keep_two(&two, min(from[3], (uint)ABSENT_VALUE), (int)from[1]);
  }
  write_two(out + ((int64_t)s.out_first + row) * nearest_result_words, two, 0);
}

#define SIDE 16                                  // threads of a group along rows, and along columns
#define ROWS (nearest_common_rows / SIDE)        // of a thread: every 16th
#define COLUMNS (nearest_common_columns / SIDE)  // of a thread in a tile: every 16th
#define SEGMENT (256 * SIDE)                     // columns that 256 numbers last for
#define PITCH (WORDS + 1)                        // words between descriptors, so that they start in different banks

// Descriptors `first` to first + count − 1 of those behind `base`, which are `end`, into a tile; beyond them are zeros.
OCTAVO_INLINE void load_tile(GLOBAL const uint* descriptors, int base, int first, int count, int end,
                             LOCAL_PTR uint* tile) {
  for (int i = local_id_x; i < count * WORDS; i += nearest_threads) {
    const int row = first + i / WORDS;
    tile[i / WORDS * PITCH + i % WORDS] = row < end ? descriptors[((int64_t)base + row) * WORDS + i % WORDS] : 0u;
  }
}

// The scalar products of this thread's rows and columns. `a` and `b` are the first ones.
OCTAVO_INLINE void multiply_tiles(const LOCAL_PTR uint* a, const LOCAL_PTR uint* b, int dots[ROWS][COLUMNS]) {
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLUMNS; ++c) dots[r][c] = 0;
  }
  for (int k = 0; k < WORDS; ++k) {
    uint of_a[ROWS], of_b[COLUMNS];
    for (int r = 0; r < ROWS; ++r) of_a[r] = a[r * SIDE * PITCH + k];
    for (int c = 0; c < COLUMNS; ++c) of_b[c] = b[c * SIDE * PITCH + k];
    for (int r = 0; r < ROWS; ++r) {
      for (int c = 0; c < COLUMNS; ++c) dots[r][c] += dot4(of_a[r], of_b[c]);
    }
  }
}

// The two nearest that the threads of a row have found.
OCTAVO_INLINE BestTwo best_of_row(const LOCAL_PTR uint* found) {
  BestTwo all = nothing_yet();
  for (int i = 0; i < SIDE; ++i) {
    const LOCAL_PTR uint* const at = found + i * 4;
    keep_two(&all, (int)at[0], (int)at[1]);
    keep_two(&all, (int)at[2], (int)at[3]);
  }
  return all;
}

// Finds the two nearest of nearest_common_rows rows in a chunk of tiles_per_chunk tiles.
KERNEL WORK_GROUP_SIZE(nearest_threads) void scan_pairs(GLOBAL const uint* descriptors, GLOBAL const int* norms,
                                                        const SearchOfKernel there, const SearchOfKernel back,
                                                        int tiles_per_chunk, GLOBAL uint* partial) {
  await_previous_kernel();
  const PartOfSearch part = part_of_group(there, back, nearest_common_rows, false);
  const SearchOfKernel s = part.search;
  // The tiles of a and b; at the end, what each thread found.
  LOCAL uint tiles[(nearest_common_rows + nearest_common_columns) * PITCH];
  LOCAL int terms[nearest_common_columns];
  LOCAL_PTR uint* const a = tiles;
  LOCAL_PTR uint* const b = tiles + nearest_common_rows * PITCH;
  const int x = local_id_x % SIDE, y = local_id_x / SIDE;

  load_tile(descriptors, s.a_first, part.first_row, nearest_common_rows, s.rows, a);

  int best[ROWS], second[ROWS];
  BestTwo two[ROWS];
  for (int r = 0; r < ROWS; ++r) {
    best[r] = second[r] = ABSENT_KEY;
    two[r] = nothing_yet();
  }

  const int tile_count = (s.columns + nearest_common_columns - 1) / nearest_common_columns;
  const int begin = part.chunk * tiles_per_chunk;
  const int end = min(begin + tiles_per_chunk, tile_count);
  for (int tile = begin; tile < end; ++tile) {
    const int first_column = tile * nearest_common_columns;
    local_barrier();
    load_tile(descriptors, s.b_first, first_column, nearest_common_columns, s.columns, b);
    if (local_id_x < nearest_common_columns) {
      const int column = first_column + local_id_x;
      terms[local_id_x] =
          column < s.columns ? norms[(int64_t)s.b_first + column] * 256 + column % SEGMENT / SIDE : ABSENT_KEY;
    }
    local_barrier();

    int dots[ROWS][COLUMNS];
    multiply_tiles(a + y * PITCH, b + x * PITCH, dots);
    for (int r = 0; r < ROWS; ++r) {
      for (int c = 0; c < COLUMNS; ++c) {
        const int key = key_of(terms[x + c * SIDE], dots[r][c]);
        second[r] = min(second[r], max(best[r], key));
        best[r] = min(best[r], key);
      }
    }
    if ((first_column + nearest_common_columns) % SEGMENT == 0 || tile + 1 == end) {
      const int segment = first_column / SEGMENT * SEGMENT;
      for (int r = 0; r < ROWS; ++r) {
        keep_two(&two[r], best[r] >> 8, segment + (best[r] & 255) * SIDE + x);
        keep_two(&two[r], second[r] >> 8, segment + (second[r] & 255) * SIDE + x);
        best[r] = second[r] = ABSENT_KEY;
      }
    }
  }

  local_barrier();
  for (int r = 0; r < ROWS; ++r) {
    LOCAL_PTR uint* const at = tiles + ((y + r * SIDE) * SIDE + x) * 4;
    at[0] = (uint)two[r].value1;
    at[1] = (uint)two[r].index1;
    at[2] = (uint)two[r].value2;
    at[3] = (uint)two[r].index2;
  }
  local_barrier();
  const int row = part.first_row + local_id_x;
  if (local_id_x < nearest_common_rows && row < s.rows) {
    write_two(partial + place_in_partial(there, part.is_back, s.rows, part.chunk, row) * nearest_result_words,
              best_of_row(tiles + local_id_x * SIDE * 4), norms[(int64_t)s.a_first + row]);
  }
}

#endif
