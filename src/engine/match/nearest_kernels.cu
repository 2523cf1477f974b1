// The CUDA twin of nearest_kernels.cl.h: scan_pairs on integer tensor cores, everything else from there.
// A group is 8 warps of 32 rows each. A warp holds its rows in registers for all tiles, as the fragments of two
// m16n8k32 products over the descriptors' 128 bytes. Tiles of 128 columns have two places in shared memory: one is
// filled while the other is read. A thread processes columns 2q and 2q + 1 of every 8 (q: its index among the 4 threads
// that share rows), so its 256 numbers suffice for 1024 columns.
//
// After the products a pair costs one multiply-add for its key and three minima or maxima, about as much time as the
// tensor cores need. The two pipes work concurrently on different warps.

#define NEAREST_SCAN_ELSEWHERE
#include "engine/match/nearest_kernels.cl.h"

namespace {

constexpr int warp_rows = 32;
constexpr int row_blocks = 2;  // of 16 rows
constexpr int steps = 4;       // of 32 bytes: a descriptor
constexpr int segment_columns = 1024;
constexpr int pieces = 8;  // of 16 bytes: a descriptor

static_assert(nearest_threads / 32 * warp_rows == nearest_tensor_rows);
static_assert(segment_columns % nearest_tensor_columns == 0);

// Of a segment's column, the same for all four q.
__device__ __forceinline__ int number_of(int column) { return column % segment_columns / 8 * 2 + column % 2; }

__device__ __forceinline__ uint shared_address(const void* at) { return (uint)__cvta_generic_to_shared(at); }

// 16 bytes from global to shared memory; zeros unless `there`.
__device__ __forceinline__ void copy16(void* to, const uint4* from, bool there) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(there ? 16 : 0)
               : "memory");
#else
  *(uint4*)to = there ? *from : make_uint4(0, 0, 0, 0);
#endif
}

__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Four 8×16-byte matrices, whose rows are at the addresses of lanes 0-7, 8-15, 16-23, 24-31. A lane gets 4 bytes of
// each.
__device__ __forceinline__ void load_matrices(uint (&m)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(shared_address(row)));
}

// dots += a·b over 32 bytes: 16 rows by 8 columns.
__device__ __forceinline__ void multiply_add(int (&dots)[4], const uint (&a)[4], uint b0, uint b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(dots[0]), "+r"(dots[1]), "+r"(dots[2]), "+r"(dots[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
  // Turing's product is a quarter of it, with the same places in the same lanes.
  const auto quarter = [](int& left, int& right, uint of_a, uint of_b) {
    asm("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(left), "+r"(right)
        : "r"(of_a), "r"(of_b));
  };
  quarter(dots[0], dots[1], a[0], b0);
  quarter(dots[0], dots[1], a[2], b1);
  quarter(dots[2], dots[3], a[1], b0);
  quarter(dots[2], dots[3], a[3], b1);
#endif
}

}  // namespace

KERNEL __launch_bounds__(nearest_threads, 2) void scan_pairs(GLOBAL const uint* descriptors, GLOBAL const int* norms,
                                                             int a_first, int rows, int b_first, int columns,
                                                             int tiles_per_chunk, GLOBAL uint* out, int out_first) {
  await_previous_kernel();
  // Piece p of column c lies at p ^ (c % 8), so that eight columns' equal pieces lie in different banks.
  __shared__ uint4 tiles[2][nearest_tensor_columns * pieces];
  __shared__ __align__(8) int terms[2][nearest_tensor_columns];
  const int lane = local_id_x % 32;
  const int g = lane / 4, q = lane % 4;
  const int first_row = group_id_x * nearest_tensor_rows + local_id_x / 32 * warp_rows;

  // Rows beyond the last are copies of it, and their results are dropped.
  uint a[row_blocks][steps][4];
#pragma unroll
  for (int m = 0; m < row_blocks; ++m) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = min(first_row + m * 16 + half * 8 + g, rows - 1);
      const uint* from = descriptors + ((int64_t)a_first + row) * WORDS + q;
#pragma unroll
      for (int k = 0; k < steps; ++k) {
        a[m][k][half] = from[k * 8];
        a[m][k][half + 2] = from[k * 8 + 4];
      }
    }
  }

  // Index m·2 + half.
  int best[row_blocks * 2], second[row_blocks * 2];
  BestTwo two[row_blocks * 2];
#pragma unroll
  for (int r = 0; r < row_blocks * 2; ++r) {
    best[r] = second[r] = ABSENT_KEY;
    two[r] = nothing_yet();
  }

  // A thread copies the same piece of every 32nd column.
  constexpr int columns_at_a_time = nearest_threads / pieces;
  static_assert(columns_at_a_time % 8 == 0 && nearest_tensor_columns % columns_at_a_time == 0);
  const int my_column = local_id_x / pieces, my_piece = local_id_x % pieces;
  const int my_place = my_column * pieces + (my_piece ^ my_column % 8);
  const uint4* const my_source = (const uint4*)descriptors + ((int64_t)b_first + my_column) * pieces + my_piece;
  const auto copy_tile = [&](int tile, uint4* to) {
    const int left = columns - tile * nearest_tensor_columns - my_column;
    const uint4* const from = my_source + (int64_t)tile * (nearest_tensor_columns * pieces);
#pragma unroll
    for (int c = 0; c < nearest_tensor_columns; c += columns_at_a_time) {
      const bool there = c < left;
      copy16(to + c * pieces + my_place, there ? from + c * pieces : (const uint4*)descriptors, there);
    }
  };
  const auto term_of = [&](int tile) {
    const int column = tile * nearest_tensor_columns + local_id_x;
    if (local_id_x >= nearest_tensor_columns || column >= columns) return (int)ABSENT_KEY;
    return norms[(int64_t)b_first + column] * 256 + number_of(column);
  };

  const int tile_count = (columns + nearest_tensor_columns - 1) / nearest_tensor_columns;
  const int begin = group_id_y * tiles_per_chunk;
  const int end = min(begin + tiles_per_chunk, tile_count);
  int stage = 0;
  copy_tile(begin, tiles[0]);
  int term = term_of(begin);
  for (int tile = begin; tile < end; ++tile, stage ^= 1) {
    wait_for_copies();
    if (local_id_x < nearest_tensor_columns) terms[stage][local_id_x] = term;
    __syncthreads();
    // All threads have finished with the other stage here.
    if (tile + 1 < end) {
      copy_tile(tile + 1, tiles[stage ^ 1]);
      term = term_of(tile + 1);
    }

#pragma unroll 2  // more would spill
    for (int eight = 0; eight < nearest_tensor_columns / 8; ++eight) {
      const uint4* column = tiles[stage] + (eight * 8 + lane % 8) * pieces;
      uint b[2][4];  // four pieces each: two steps
      load_matrices(b[0], column + (lane / 8 ^ lane % 8));
      load_matrices(b[1], column + ((lane / 8 + 4) ^ lane % 8));
      const int2 term_pair = *(const int2*)&terms[stage][eight * 8 + q * 2];
#pragma unroll
      for (int m = 0; m < row_blocks; ++m) {
        int dots[4] = {0, 0, 0, 0};
#pragma unroll
        for (int k = 0; k < steps; ++k) multiply_add(dots, a[m][k], b[k / 2][k % 2 * 2], b[k / 2][k % 2 * 2 + 1]);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int r = m * 2 + half;
          const int left = key_of(term_pair.x, dots[half * 2]), right = key_of(term_pair.y, dots[half * 2 + 1]);
          const int low = min(left, right), high = max(left, right);
          second[r] = __vimin3_s32(second[r], high, max(best[r], low));
          best[r] = min(best[r], low);
        }
      }
    }

    const int next_column = (tile + 1) * nearest_tensor_columns;
    if (next_column % segment_columns == 0 || tile + 1 == end) {
      const int first = (next_column - 1) / segment_columns * segment_columns + q * 2;
#pragma unroll
      for (int r = 0; r < row_blocks * 2; ++r) {
        keep_two(&two[r], best[r] >> 8, first + (best[r] & 254) * 4 + (best[r] & 1));
        keep_two(&two[r], second[r] >> 8, first + (second[r] & 254) * 4 + (second[r] & 1));
        best[r] = second[r] = ABSENT_KEY;
      }
    }
  }

#pragma unroll
  for (int r = 0; r < row_blocks * 2; ++r) {
#pragma unroll
    for (int distance = 1; distance < 4; distance *= 2) {
      BestTwo other;
      other.value1 = __shfl_xor_sync(~0u, two[r].value1, distance);
      other.index1 = __shfl_xor_sync(~0u, two[r].index1, distance);
      other.value2 = __shfl_xor_sync(~0u, two[r].value2, distance);
      other.index2 = __shfl_xor_sync(~0u, two[r].index2, distance);
      keep_two(&two[r], other.value1, other.index1);
      keep_two(&two[r], other.value2, other.index2);
    }
    const int row = first_row + r * 8 + g;
    if (q == 0 && row < rows) {
      write_two(out + ((int64_t)out_first + (int64_t)group_id_y * rows + row) * nearest_result_words, two[r],
                norms[(int64_t)a_first + row]);
    }
  }
}
