// Exact nearest neighbours of 128-byte descriptors on GPUs. A group of threads takes some a's (rows) and walks tiles of
// b's (columns); nothing of size N×M is ever stored. Where one group per block of rows would leave the GPU idle, the
// columns are cut in chunks too, and merge_chunks joins what they found.
//
// Within a row, d² = |a|² + |b|² − 2·a·b is ordered as v = |b|² − 2·a·b, which lies within ±2²³: never below −|a|²,
// never above |b|². A pair's key is v·256 + the column's number within its thread's segment of columns: exactly the
// range of a signed 32-bit integer. Keys order the pairs of a thread by (d², index), so the two smallest are kept by
// minimum and maximum alone. At the end of a segment the keys are unpacked, since its numbers are used up.
//
// nearest_kernels.cu replaces scan_pairs by one with tensor cores, under NEAREST_SCAN_ELSEWHERE.

#include "match/nearest_shape.h"
#include "maths/kernel_words.h"

// Of a column that is not there: greater than any key (v ≤ 128·255²), and its value than any value.
#define ABSENT_KEY 0x7fffffff
#define ABSENT_VALUE (ABSENT_KEY >> 8)

#define WORDS 32  // of a descriptor

// The two smallest (value, index) so far.
typedef struct {
  integer value1, index1, value2, index2;
} BestTwo;

OCTAVO_INLINE BestTwo nothing_yet(void) {
  BestTwo two;
  two.value1 = two.value2 = ABSENT_VALUE;
  two.index1 = two.index2 = -1;
  return two;
}

OCTAVO_INLINE truth comes_before(integer value, integer index, integer other_value, integer other_index) {
  return value < other_value || (value == other_value && index < other_index);
}

// Offers of ABSENT_VALUE change nothing, whatever their index.
OCTAVO_INLINE void keep_two(BestTwo* two, integer value, integer index) {
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

// As NearestTwo lies in memory: two indices, two distances. `norm` is |a|².
OCTAVO_INLINE void write_two(GLOBAL word* at, BestTwo two, integer norm) {
  at[0] = (word)two.index1;
  at[1] = (word)two.index2;
  at[2] = two.index1 < 0 ? 0xffffffffu : (word)(two.value1 + norm);
  at[3] = two.index2 < 0 ? 0xffffffffu : (word)(two.value2 + norm);
}

// Unsigned, so that it may wrap on the way.
OCTAVO_INLINE integer key_of(integer term, integer dot) { return (integer)((word)term - 512u * (word)dot); }

// Σ aᵢ·bᵢ of four bytes each.
OCTAVO_INLINE integer dot4(word a, word b) {
  return (integer)((a & 255u) * (b & 255u) + ((a >> 8) & 255u) * ((b >> 8) & 255u) +
                   ((a >> 16) & 255u) * ((b >> 16) & 255u) + (a >> 24) * (b >> 24));
}

// norms[i] = |descriptor i|².
KERNEL THREADS(nearest_threads) void measure_norms(GLOBAL const word* descriptors, integer count,
                                                   GLOBAL integer* norms) {
  await_previous_kernel();
  SHARED integer squares[nearest_norm_rows * (WORDS + 1)];
  const integer first = group_x * nearest_norm_rows;
  const integer rows = min((integer)nearest_norm_rows, count - first);
  for (integer i = thread_x; i < rows * WORDS; i += nearest_threads) {
    const word x = descriptors[(wide)first * WORDS + i];
    squares[i / WORDS * (WORDS + 1) + i % WORDS] = dot4(x, x);
  }
  barrier_of_group();
  if (thread_x < rows) {
    integer sum = 0;
    for (integer k = 0; k < WORDS; ++k) sum += squares[thread_x * (WORDS + 1) + k];
    norms[first + thread_x] = sum;
  }
}

// out[row] = the two nearest of the `chunks` NearestTwo partial[chunk·rows + row].
KERNEL THREADS(nearest_threads) void merge_chunks(GLOBAL const word* partial, integer chunks, integer rows,
                                                  GLOBAL word* out, integer out_first) {
  await_previous_kernel();
  const integer row = group_x * nearest_threads + thread_x;
  if (row >= rows) return;
  BestTwo two = nothing_yet();
  for (integer chunk = 0; chunk < chunks; ++chunk) {
    GLOBAL const word* from = partial + ((wide)chunk * rows + row) * 4;
    keep_two(&two, min(from[2], (word)ABSENT_VALUE), (integer)from[0]);
    keep_two(&two, min(from[3], (word)ABSENT_VALUE), (integer)from[1]);
  }
  write_two(out + ((wide)out_first + row) * 4, two, 0);
}

#ifndef NEAREST_SCAN_ELSEWHERE

#define SIDE 16                                  // threads of a group along rows, and along columns
#define ROWS (nearest_common_rows / SIDE)        // of a thread: every 16th
#define COLUMNS (nearest_common_columns / SIDE)  // of a thread in a tile: every 16th
#define SEGMENT (256 * SIDE)                     // columns that 256 numbers last for
#define PITCH (WORDS + 1)                        // words between descriptors, so that they start in different banks

// For each of the `rows` descriptors from a_first on its two nearest among the `columns` from b_first on that lie in
// chunk group_y of tiles_per_chunk tiles: out[out_first + group_y·rows + row].
KERNEL THREADS(nearest_threads) void scan_pairs(GLOBAL const word* descriptors, GLOBAL const integer* norms,
                                                integer a_first, integer rows, integer b_first, integer columns,
                                                integer tiles_per_chunk, GLOBAL word* out, integer out_first) {
  await_previous_kernel();
  // The tiles of a and b; at the end, what each thread found.
  SHARED word tiles[(nearest_common_rows + nearest_common_columns) * PITCH];
  SHARED integer terms[nearest_common_columns];
  SHARED_POINTER word* const a = tiles;
  SHARED_POINTER word* const b = tiles + nearest_common_rows * PITCH;
  const integer x = thread_x % SIDE, y = thread_x / SIDE;
  const integer first_row = group_x * nearest_common_rows;

  for (integer i = thread_x; i < nearest_common_rows * WORDS; i += nearest_threads) {
    const integer row = first_row + i / WORDS;
    a[i / WORDS * PITCH + i % WORDS] = row < rows ? descriptors[((wide)a_first + row) * WORDS + i % WORDS] : 0u;
  }

  integer best[ROWS], second[ROWS];
  BestTwo two[ROWS];
  for (integer r = 0; r < ROWS; ++r) {
    best[r] = second[r] = ABSENT_KEY;
    two[r] = nothing_yet();
  }

  const integer tile_count = (columns + nearest_common_columns - 1) / nearest_common_columns;
  const integer begin = group_y * tiles_per_chunk;
  const integer end = min(begin + tiles_per_chunk, tile_count);
  for (integer tile = begin; tile < end; ++tile) {
    const integer first_column = tile * nearest_common_columns;
    barrier_of_group();
    for (integer i = thread_x; i < nearest_common_columns * WORDS; i += nearest_threads) {
      const integer column = first_column + i / WORDS;
      b[i / WORDS * PITCH + i % WORDS] =
          column < columns ? descriptors[((wide)b_first + column) * WORDS + i % WORDS] : 0u;
    }
    if (thread_x < nearest_common_columns) {
      const integer column = first_column + thread_x;
      terms[thread_x] = column < columns ? norms[(wide)b_first + column] * 256 + column % SEGMENT / SIDE : ABSENT_KEY;
    }
    barrier_of_group();

    integer dots[ROWS][COLUMNS];
    for (integer r = 0; r < ROWS; ++r) {
      for (integer c = 0; c < COLUMNS; ++c) dots[r][c] = 0;
    }
    for (integer k = 0; k < WORDS; ++k) {
      word of_a[ROWS], of_b[COLUMNS];
      for (integer r = 0; r < ROWS; ++r) of_a[r] = a[(y + r * SIDE) * PITCH + k];
      for (integer c = 0; c < COLUMNS; ++c) of_b[c] = b[(x + c * SIDE) * PITCH + k];
      for (integer r = 0; r < ROWS; ++r) {
        for (integer c = 0; c < COLUMNS; ++c) dots[r][c] += dot4(of_a[r], of_b[c]);
      }
    }

    for (integer r = 0; r < ROWS; ++r) {
      for (integer c = 0; c < COLUMNS; ++c) {
        const integer key = key_of(terms[x + c * SIDE], dots[r][c]);
        second[r] = min(second[r], max(best[r], key));
        best[r] = min(best[r], key);
      }
    }
    if ((first_column + nearest_common_columns) % SEGMENT == 0 || tile + 1 == end) {
      const integer segment = first_column / SEGMENT * SEGMENT;
      for (integer r = 0; r < ROWS; ++r) {
        keep_two(&two[r], best[r] >> 8, segment + (best[r] & 255) * SIDE + x);
        keep_two(&two[r], second[r] >> 8, segment + (second[r] & 255) * SIDE + x);
        best[r] = second[r] = ABSENT_KEY;
      }
    }
  }

  barrier_of_group();
  for (integer r = 0; r < ROWS; ++r) {
    SHARED_POINTER word* const at = tiles + ((y + r * SIDE) * SIDE + x) * 4;
    at[0] = (word)two[r].value1;
    at[1] = (word)two[r].index1;
    at[2] = (word)two[r].value2;
    at[3] = (word)two[r].index2;
  }
  barrier_of_group();
  const integer row = first_row + thread_x;
  if (thread_x < nearest_common_rows && row < rows) {
    BestTwo all = nothing_yet();
    for (integer i = 0; i < SIDE; ++i) {
      SHARED_POINTER word* const at = tiles + (thread_x * SIDE + i) * 4;
      keep_two(&all, (integer)at[0], (integer)at[1]);
      keep_two(&all, (integer)at[2], (integer)at[3]);
    }
    write_two(out + ((wide)out_first + (wide)group_y * rows + row) * 4, all, norms[(wide)a_first + row]);
  }
}

#endif
