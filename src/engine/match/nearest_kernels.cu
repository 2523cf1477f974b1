// The CUDA twin of nearest_kernels.cl.h: scan_pairs on integer tensor cores, its merge_chunks, the rest from there.
// A group is 8 warps of 32 rows each. A warp holds its rows in registers for all tiles, as the fragments of two
// m16n8k32 products over the descriptors' 128 bytes. Tiles of 128 columns have two places in shared memory: one is
// filled while the other is read. A thread processes columns 2q and 2q + 1 of every 8 (q: its index among the 4 threads
// that share rows), so its 256 numbers suffice for 1024 columns.
//
// After the products a pair costs one multiply-add for its key, and half a minimum of three: a thread ranks groups of
// eight columns by their least key alone. The nearest is the least of its group, the second nearest that of another
// group or the second of the nearest's: merge_chunks looks at the eight of that group again.

#define NEAREST_SCAN_ELSEWHERE
#include "engine/match/nearest_kernels.cl.h"

namespace {

constexpr int warp_rows = 32;
constexpr int row_blocks = 2;  // of 16 rows
constexpr int steps = 4;       // of 32 bytes: a descriptor
constexpr int segment_columns = 1024;
constexpr int pieces = 8;          // of 16 bytes: a descriptor
constexpr int group_eights = 4;    // a thread's two columns of each make a group
constexpr int group_columns = 32;  // that the groups of four threads lie in

static_assert(nearest_threads / 32 * warp_rows == nearest_tensor_rows);
static_assert(segment_columns % nearest_tensor_columns == 0 && nearest_tensor_columns % group_columns == 0);

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
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // multiply_columns reads them by another path
#endif
}

// Compute capability 9.0 multiplies four warps' rows at a time by columns in shared memory, while other warps rank.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define NEAREST_WARPGROUPS
#define DOTS_OF(d, i) "+r"(d[i][0]), "+r"(d[i][1]), "+r"(d[i][2]), "+r"(d[i][3])
#define DOTS(d) \
  DOTS_OF(d, 0), DOTS_OF(d, 1), DOTS_OF(d, 2), DOTS_OF(d, 3), DOTS_OF(d, 4), DOTS_OF(d, 5), DOTS_OF(d, 6), DOTS_OF(d, 7)

constexpr int warpgroup_eights = 8;

// dots = a·b, or added to them, over 32 bytes.
__device__ __forceinline__ void multiply_step(int (&dots)[warpgroup_eights][4], const uint (&a)[4],
                                              unsigned long long columns, int adds) {
  asm volatile(
      "{\n.reg .pred adds;\nsetp.ne.b32 adds, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, adds;\n}"
      : DOTS(dots)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(columns), "r"(adds));
}

// dots = a·b over the descriptors' bytes: 16 rows of each warp by 64 columns, which lie as copy_tile puts them: what the
// hardware calls a swizzle of 128 bytes.
__device__ __forceinline__ void multiply_columns(int (&dots)[warpgroup_eights][4], const uint (&a)[steps][4],
                                                 const uint4* columns) {
  constexpr unsigned long long shape = 1ull << 62 | 64ull << 32 | 1ull << 16;  // swizzle; eight columns: 64·16 bytes
  const unsigned long long first = shape | (shared_address(columns) & 0x3ffff) >> 4;
  asm volatile("wgmma.fence.sync.aligned;" : DOTS(dots) : : "memory");
  multiply_step(dots, a[0], first, 0);
  multiply_step(dots, a[1], first + 2, 1);
  multiply_step(dots, a[2], first + 4, 1);
  multiply_step(dots, a[3], first + 6, 1);
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" : DOTS(dots) : : "memory");
}

#else

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

#endif

// Joins what is nearest in the lanes whose numbers differ in one bit.
__device__ __forceinline__ void join_lanes(BestTwo* two, int bit) {
  BestTwo other;
  other.value1 = __shfl_xor_sync(~0u, two->value1, bit);
  other.index1 = __shfl_xor_sync(~0u, two->index1, bit);
  other.value2 = __shfl_xor_sync(~0u, two->value2, bit);
  other.index2 = __shfl_xor_sync(~0u, two->index2, bit);
  keep_two(two, other.value1, other.index1);
  keep_two(two, other.value2, other.index2);
}

// Column i (0…7) of the group in which a column is.
__device__ __forceinline__ int column_of_group(int column, int i) {
  return column / group_columns * group_columns + i / 2 * 8 + column % 8 / 2 * 2 + i % 2;
}

__device__ __forceinline__ int dot_of(const uint4* a, const uint4* b) {
  uint sum = 0;
#pragma unroll
  for (int i = 0; i < pieces; ++i) {
    const uint4 x = a[i], y = b[i];
    sum = __dp4a(x.x, y.x, __dp4a(x.y, y.y, __dp4a(x.z, y.z, __dp4a(x.w, y.w, sum))));
  }
  return (int)sum;
}

// The least key so far of a row, with those of two more columns.
__device__ __forceinline__ int least_key(int least, int2 terms, int left, int right) {
  return __vimin3_s32(least, key_of(terms.x, left), key_of(terms.y, right));
}

// The rows of a warp, as the fragments of its products.
struct RowFragments {
  uint of[row_blocks][steps][4];
};

// Rows beyond the last are copies of it, and their results are dropped.
__device__ __forceinline__ void load_rows(RowFragments& a, const uint* descriptors, const SearchOfKernel& search,
                                          int first_row, int g, int q) {
#pragma unroll
  for (int m = 0; m < row_blocks; ++m) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = min(first_row + m * 16 + half * 8 + g, search.rows - 1);
      const uint* words = descriptors + ((int64_t)search.a_first + row) * WORDS + q;
#pragma unroll
      for (int k = 0; k < steps; ++k) {
        a.of[m][k][half] = words[k * 8];
        a.of[m][k][half + 2] = words[k * 8 + 4];
      }
    }
  }
}

// The two nearest groups of a thread's rows: of the segment so far by their keys, and of all segments before. A row has
// index block · 2 + half.
struct NearestGroups {
  int best[row_blocks * 2], second[row_blocks * 2];
  BestTwo two[row_blocks * 2];

  __device__ __forceinline__ void begin_segment(int r) { best[r] = second[r] = ABSENT_KEY; }

  __device__ __forceinline__ void begin() {
#pragma unroll
    for (int r = 0; r < row_blocks * 2; ++r) {
      begin_segment(r);
      two[r] = nothing_yet();
    }
  }

  __device__ __forceinline__ void rank(int r, int least) {
    second[r] = min(second[r], max(best[r], least));
    best[r] = min(best[r], least);
  }

  // `first`: the thread's first column of the segment.
  __device__ __forceinline__ void end_segment(int first) {
#pragma unroll
    for (int r = 0; r < row_blocks * 2; ++r) {
      keep_two(&two[r], best[r] >> 8, first + (best[r] & 254) * 4 + (best[r] & 1));
      keep_two(&two[r], second[r] >> 8, first + (second[r] & 254) * 4 + (second[r] & 1));
      begin_segment(r);
    }
  }
};

#if defined(NEAREST_WARPGROUPS)

// Ranks 64 columns for a block of rows, of which r is the first.
__device__ __forceinline__ void rank_block(NearestGroups& groups, const uint (&block)[steps][4], int r,
                                           const uint4* tile, const int* terms, int first_eight) {
  int dots[warpgroup_eights][4];
  multiply_columns(dots, block, tile + first_eight * 8 * pieces);
#pragma unroll
  for (int group = 0; group < warpgroup_eights; group += group_eights) {
    int upper = ABSENT_KEY, lower = ABSENT_KEY;
#pragma unroll
    for (int i = group; i < group + group_eights; ++i) {
      const int2 term_pair = *(const int2*)&terms[(first_eight + i) * 8];
      upper = least_key(upper, term_pair, dots[i][0], dots[i][1]);
      lower = least_key(lower, term_pair, dots[i][2], dots[i][3]);
    }
    groups.rank(r, upper);
    groups.rank(r + 1, lower);
  }
}

// Ranks the columns of a tile. `terms`: from the thread's first column on.
__device__ __forceinline__ void rank_tile(NearestGroups& groups, const RowFragments& a, const uint4* tile,
                                          const int* terms, int /*lane*/) {
#pragma unroll 1
  for (int eight = 0; eight < nearest_tensor_columns / 8; eight += warpgroup_eights) {
    rank_block(groups, a.of[0], 0, tile, terms, eight);
    rank_block(groups, a.of[1], 2, tile, terms, eight);
  }
}

#else

// Takes the keys of eight columns into the least of each row.
__device__ __forceinline__ void rank_eight(int (&least)[row_blocks * 2], const RowFragments& a, const uint4* column,
                                           int2 term_pair, int lane) {
  uint b[2][4];  // four pieces each: two steps
  load_matrices(b[0], column + (lane / 8 ^ lane % 8));
  load_matrices(b[1], column + ((lane / 8 + 4) ^ lane % 8));
#pragma unroll
  for (int m = 0; m < row_blocks; ++m) {
    int dots[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < steps; ++k) multiply_add(dots, a.of[m][k], b[k / 2][k % 2 * 2], b[k / 2][k % 2 * 2 + 1]);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int r = m * 2 + half;
      least[r] = least_key(least[r], term_pair, dots[half * 2], dots[half * 2 + 1]);
    }
  }
}

__device__ __forceinline__ void rank_tile(NearestGroups& groups, const RowFragments& a, const uint4* tile,
                                          const int* terms, int lane) {
#pragma unroll 1
  for (int group = 0; group < nearest_tensor_columns / group_columns; ++group) {
    int least[row_blocks * 2];
#pragma unroll
    for (int r = 0; r < row_blocks * 2; ++r) least[r] = ABSENT_KEY;
#pragma unroll 2  // more would spill
    for (int i = 0; i < group_eights; ++i) {
      const int eight = group * group_eights + i;
      const int2 term_pair = *(const int2*)&terms[eight * 8];
      rank_eight(least, a, tile + (eight * 8 + lane % 8) * pieces, term_pair, lane);
    }
#pragma unroll
    for (int r = 0; r < row_blocks * 2; ++r) groups.rank(r, least[r]);
  }
}

#endif

// Copies a tile of columns to shared memory. Piece p of column c lies at p ^ (c % 8), so that eight columns' equal pieces
// lie in different banks. A thread copies the same piece of every 32nd column.
__device__ __forceinline__ void copy_tile(uint4* to, const uint4* descriptors, int first_column, int columns,
                                          int tile) {
  constexpr int columns_at_a_time = nearest_threads / pieces;
  static_assert(columns_at_a_time % 8 == 0 && nearest_tensor_columns % columns_at_a_time == 0);
  const int my_column = local_id_x / pieces, my_piece = local_id_x % pieces;
  const int my_place = my_column * pieces + (my_piece ^ my_column % 8);
  const int left = columns - tile * nearest_tensor_columns - my_column;
  const uint4* const from = descriptors + ((int64_t)first_column + my_column) * pieces + my_piece +
                            (int64_t)tile * (nearest_tensor_columns * pieces);
#pragma unroll
  for (int c = 0; c < nearest_tensor_columns; c += columns_at_a_time) {
    const bool there = c < left;
    copy16(to + c * pieces + my_place, there ? from + c * pieces : descriptors, there);
  }
}

// What a column adds to its keys, for the thread that has its number in a tile.
__device__ __forceinline__ int term_of(const int* norms, int first_column, int columns, int tile) {
  const int column = tile * nearest_tensor_columns + local_id_x;
  if (local_id_x >= nearest_tensor_columns || column >= columns) return (int)ABSENT_KEY;
  return norms[(int64_t)first_column + column] * 256 + number_of(column);
}

}  // namespace

KERNEL __launch_bounds__(nearest_threads, 2) void scan_pairs(GLOBAL const uint* descriptors, GLOBAL const int* norms,
                                                             const SearchOfKernel there, const SearchOfKernel back,
                                                             int tiles_per_chunk, GLOBAL uint* partial) {
  await_previous_kernel();
  const PartOfSearch part = part_of_group(there, back, nearest_tensor_rows, false);
  const int a_first = part.search.a_first, rows = part.search.rows;
  const int b_first = part.search.b_first, columns = part.search.columns;
  __shared__ __align__(1024) uint4 tiles[2][nearest_tensor_columns * pieces];
  __shared__ __align__(8) int terms[2][nearest_tensor_columns];
  const int lane = local_id_x % 32;
  const int g = lane / 4, q = lane % 4;
  const int first_row = part.first_row + local_id_x / 32 * warp_rows;

  RowFragments a;
  load_rows(a, descriptors, part.search, first_row, g, q);
  NearestGroups groups;
  groups.begin();

  const uint4* const pieces_of_columns = (const uint4*)descriptors;
  const int tile_count = (columns + nearest_tensor_columns - 1) / nearest_tensor_columns;
  const int begin = part.chunk * tiles_per_chunk;
  const int end = min(begin + tiles_per_chunk, tile_count);
  int stage = 0;
  copy_tile(tiles[0], pieces_of_columns, b_first, columns, begin);
  int term = term_of(norms, b_first, columns, begin);
  for (int tile = begin; tile < end; ++tile, stage ^= 1) {
    wait_for_copies();
    if (local_id_x < nearest_tensor_columns) terms[stage][local_id_x] = term;
    __syncthreads();
    // All threads have finished with the other stage here.
    if (tile + 1 < end) {
      copy_tile(tiles[stage ^ 1], pieces_of_columns, b_first, columns, tile + 1);
      term = term_of(norms, b_first, columns, tile + 1);
    }
    rank_tile(groups, a, tiles[stage], terms[stage] + q * 2, lane);
    const int next_column = (tile + 1) * nearest_tensor_columns;
    if (next_column % segment_columns == 0 || tile + 1 == end) {
      groups.end_segment((next_column - 1) / segment_columns * segment_columns + q * 2);
    }
  }

#pragma unroll
  for (int r = 0; r < row_blocks * 2; ++r) {
#pragma unroll
    for (int bit = 1; bit < 4; bit *= 2) join_lanes(&groups.two[r], bit);
    const int row = first_row + r * 8 + g;
    if (q == 0 && row < rows) {
      write_two(partial + place_in_partial(there, part.is_back, rows, part.chunk, row) * nearest_result_words,
                groups.two[r], norms[(int64_t)a_first + row]);
    }
  }
}

// out[row] = the two nearest. `partial` has the two nearest groups of each chunk, by their least. Eight threads a row:
// each computes the distance of a column of the nearest's group.
KERNEL __launch_bounds__(nearest_threads) void merge_chunks(GLOBAL const uint* partial, const SearchOfKernel there,
                                                            const SearchOfKernel back, GLOBAL uint* out,
                                                            GLOBAL const uint* descriptors, GLOBAL const int* norms) {
  await_previous_kernel();
  const PartOfSearch part = part_of_group(there, back, nearest_threads / nearest_merge_threads, true);
  const SearchOfKernel s = part.search;
  const int lane = local_id_x % nearest_merge_threads;
  const int number = part.first_row + local_id_x / nearest_merge_threads;
  const int row = min(number, s.rows - 1);
  BestTwo two = nothing_yet();
  for (int chunk = lane; chunk < s.chunks; chunk += nearest_merge_threads) {
    GLOBAL const uint* from = partial + place_in_partial(there, part.is_back, s.rows, chunk, row) * nearest_result_words;
    keep_two(&two, min(from[2], (uint)ABSENT_VALUE), (int)from[0]);
    keep_two(&two, min(from[3], (uint)ABSENT_VALUE), (int)from[1]);
  }
#pragma unroll
  for (int bit = 1; bit < nearest_merge_threads; bit *= 2) join_lanes(&two, bit);

  const int column = column_of_group(two.index1, lane);
  int distance = ABSENT_VALUE;
  if (column < s.columns && column != two.index1) {
    const int64_t i = (int64_t)s.a_first + row, j = (int64_t)s.b_first + column;
    distance = norms[i] + norms[j] -
               2 * dot_of((const uint4*)descriptors + i * pieces, (const uint4*)descriptors + j * pieces);
  }
  unsigned long long nearest = (unsigned long long)distance << 32 | (uint)column;
#pragma unroll
  for (int bit = 1; bit < nearest_merge_threads; bit *= 2) nearest = min(nearest, __shfl_xor_sync(~0u, nearest, bit));
  keep_two(&two, (int)(nearest >> 32), (int)nearest);
  if (lane == 0 && number < s.rows) write_two(out + ((int64_t)s.out_first + row) * nearest_result_words, two, 0);
}
