// The probe of a compiler (compiler_probe.h): small kernels with the constructs of the real ones on which compilers of
// OpenCL C have failed.
//
//   arithmetic    each operation of docs/numerics.md, on numbers that show its rounding; the last group ends early
//   list_places   a group counts in local memory by atomic additions, and reserves and fills places in global memory
//   select_rank   a loop with barriers, whose number of rounds is known at run time only; 64-bit digits
//   keep_below    the same with prefix sums, and threads that have nothing left to do
//   add_windows   barriers in two nested loops, windows of different lengths, a thread that decides for all
//   smooth_tiles  a tile in local memory from private arrays, an inlined function that some threads leave early

// clang-format off
#include "engine/maths/kernel_primitives.h"
#include "engine/device/compiler_probe_layout.h"
// clang-format on

// Writes the bits of the results, a row of `count` for each operation. groups: ⌈count/probe_threads⌉.
KERNEL WORK_GROUP_SIZE(probe_threads) void arithmetic(const GLOBAL float* as, const GLOBAL float* bs,
                                                      const GLOBAL float* cs, int count, GLOBAL uint* out) {
  await_previous_kernel();
  const int i = group_id_x * probe_threads + local_id_x;
  if (i >= count) return;
  const float a = as[i], b = bs[i], c = cs[i];
  const int64_t wide = (int64_t)float_bits_to_int(a) * float_bits_to_int(b) + float_bits_to_int(c);
  out[i] = (uint)float_bits_to_int(a * b + c);
  out[count + i] = (uint)float_bits_to_int(fma(a, b, c));
  out[2 * count + i] = (uint)float_bits_to_int(a / b);
  out[3 * count + i] = (uint)float_bits_to_int(sqrt(fabs(a)));
  out[4 * count + i] = (uint)float_bits_to_int(to_float(float_bits_to_int(a)));
  out[5 * count + i] = (uint)float_bits_to_int(int64_to_float(wide));
  out[6 * count + i] = (uint)(wide >> 29) ^ (wide < 0 ? 1u : 0u);
  out[7 * count + i] = (uint)float_bits_to_int(floor(a));
}

// Lists the pixels by kind; begin[k] is where kind k begins, and afterwards where it ends. groups:
// ⌈width/list_columns⌉ × ⌈height/list_rows⌉.
KERNEL WORK_GROUP_SIZE(list_threads) void list_places(const GLOBAL uchar* kinds, int width, int height,
                                                      GLOBAL uint* begin, GLOBAL int* list) {
  await_previous_kernel();
  LOCAL uint here[list_kinds];
  LOCAL uint first[list_kinds];
  if (local_id_x < list_kinds) here[local_id_x] = 0;
  local_barrier();
  const int x = group_id_x * list_columns + local_id_x % list_columns;
  const int y = group_row * list_rows + local_id_x / list_columns;
  const bool inside = x < width && y < height;
  const int place = inside ? list_kinds - 1 - kinds[y * width + x] : 0;
  uint rank = 0;
  if (inside) rank = atomic_add_local(here + place, 1);
  local_barrier();
  if (local_id_x < list_kinds && here[local_id_x] > 0)
    first[local_id_x] = atomic_add_global(begin + local_id_x, here[local_id_x]);
  local_barrier();
  if (inside) list[first[place] + rank] = y * width + x;
}

OCTAVO_INLINE void add_eights(const LOCAL_PTR uint* numbers, LOCAL_PTR uint* eights) {
  const LOCAL_PTR uint* own = numbers + 8 * (local_id_x & 7);
  uint sum = 0;
  for (int i = 0; i < 8; ++i) sum += own[(i + local_id_x) & 7];
  if (local_id_x < 8) eights[local_id_x] = sum;
}

OCTAVO_INLINE uint sum_before_thread(const LOCAL_PTR uint* numbers, const LOCAL_PTR uint* eights) {
  uint sum = 0;
  for (int i = 0; i < 7; ++i) {
    sum += i < (local_id_x >> 3) ? eights[i] : 0;
    sum += i < (local_id_x & 7) ? numbers[8 * (local_id_x >> 3) + i] : 0;
  }
  return sum;
}

// Each group finds, digit by digit of six bits, the number of rank `wanted` among its own. Group g has the numbers
// ends[g − 1] … ends[g] − 1; one that has no more than `wanted` does not search. groups: any number.
KERNEL WORK_GROUP_SIZE(probe_threads) void select_rank(const GLOBAL int64_t* numbers, const GLOBAL int* ends,
                                                       int digits, int wanted, GLOBAL int64_t* found) {
  await_previous_kernel();
  LOCAL uint bins[probe_threads];
  LOCAL uint eights[8];
  LOCAL uint cut[2];
  const int begin = group_id_x == 0 ? 0 : ends[group_id_x - 1], end = ends[group_id_x];
  int64_t next = 0;
  uint rank = (uint)wanted;
  if (local_id_x < 2) cut[local_id_x] = 0;
  for (int shift = end - begin > wanted ? 6 * (digits - 1) : -1; shift >= 0; shift -= 6) {
    bins[local_id_x] = 0;
    local_barrier();
    for (int i = begin + local_id_x; i < end; i += probe_threads) {
      const int64_t number = numbers[i] >> shift;
      if (number >> 6 == next) atomic_add_local(&bins[number & 63], 1);
    }
    local_barrier();
    add_eights(bins, eights);
    local_barrier();
    const uint before = sum_before_thread(bins, eights);
    if (before <= rank && rank < before + bins[local_id_x]) {
      cut[0] = (uint)local_id_x;
      cut[1] = rank - before;
    }
    local_barrier();
    next = next << 6 | cut[0];
    rank = cut[1];
  }
  if (local_id_x == 0) found[group_id_x] = end - begin > wanted ? next : -1;
}

// Each group copies its numbers below `limit` in their order, to where its own begin. groups: as for select_rank.
KERNEL WORK_GROUP_SIZE(probe_threads) void keep_below(const GLOBAL int64_t* numbers, const GLOBAL int* ends,
                                                      int64_t limit, GLOBAL int64_t* kept) {
  await_previous_kernel();
  LOCAL uint stays[probe_threads];
  LOCAL uint eights[8];
  const int begin = group_id_x == 0 ? 0 : ends[group_id_x - 1], end = ends[group_id_x];
  int copied = begin;
  for (int first = begin; first < end; first += probe_threads) {
    const int i = first + local_id_x;
    const int64_t number = i < end ? numbers[i] : limit;
    stays[local_id_x] = number < limit ? 1 : 0;
    local_barrier();
    add_eights(stays, eights);
    local_barrier();
    if (number < limit) kept[copied + (int)sum_before_thread(stays, eights)] = number;
    for (int k = 0; k < 8; ++k) copied += (int)eights[k];
    local_barrier();
  }
}

// For each window: from width 1 on, `steps` times, the sum of index·value over a window of the row whose width follows
// from the last sum. Thread 0 refuses a window whose sum is a multiple of 5: its further sums are empty. Each group
// takes every so-manieth window. groups: any number.
KERNEL WORK_GROUP_SIZE(probe_threads) void add_windows(const GLOBAL int* values, int count, int windows, int steps,
                                                       GLOBAL int64_t* sums) {
  await_previous_kernel();
  LOCAL int64_t partial[probe_threads];
  LOCAL int64_t total[1];
  LOCAL int shape[2];
  for (int w = group_id_x; w < windows; w += num_groups_x) {
    if (local_id_x == 0) {
      shape[0] = 1;
      shape[1] = 0;
    }
    local_barrier();
    for (int step = 0; step < steps; ++step) {
      const int width = shape[0], last = shape[1] != 0 ? w - 1 : w + 3 * width < count ? w + 3 * width : count - 1;
      int64_t sum = 0;
      int column = local_id_x, row = 0;
      while (column >= width && row < 3) {
        column -= width;
        ++row;
      }
      while (row < 3) {
        const int at = w + row * width + column;
        if (at <= last) sum += (int64_t)(at + 1) * values[at];
        column += probe_threads;
        while (column >= width) {
          column -= width;
          ++row;
        }
      }
      partial[local_id_x] = sum;
      local_barrier();
      if (local_id_x < 1) {
        int64_t all = 0;
        for (int i = 0; i < probe_threads; ++i) all += partial[i];
        total[local_id_x] = all;
      }
      local_barrier();
      if (local_id_x == 0) {
        sums[w * steps + step] = total[0];
        if (total[0] % 5 == 0) shape[1] = 1;
        shape[0] = 1 + (int)(total[0] & 63);
      }
      local_barrier();
    }
  }
}

OCTAVO_INLINE int mirrored_index(int i, int n) {
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

OCTAVO_INLINE float sum_of_pairs(const float* middle, float outer) {
  float sum = middle[0];
  for (int k = 1; k <= tile_reach; ++k) sum = fma(outer, middle[-k] + middle[k], sum);
  return sum;
}

OCTAVO_INLINE void smooth_columns(const GLOBAL float* image, int width, int height, float outer, int left, int top,
                                  LOCAL_PTR float* sums) {
  const int column = left + local_id_x - tile_reach;
  if (column >= width + tile_reach) return;
  float window[tile_rows + 2 * tile_reach];
  for (int i = 0; i < tile_rows + 2 * tile_reach; ++i)
    window[i] = image[mirrored_index(top + i - tile_reach, height) * width + mirrored_index(column, width)];
  for (int r = 0; r < tile_rows; ++r)
    sums[r * probe_threads + local_id_x] = sum_of_pairs(window + r + tile_reach, outer);
}

OCTAVO_INLINE void smooth_rows(const LOCAL_PTR float* sums, int width, int height, float outer, int left, int top,
                               GLOBAL float* out) {
  const int r = local_id_x / tile_rows, first = 8 * (local_id_x % 8), y = top + r;
  if (y >= height) return;
  float window[8 + 2 * tile_reach];
  for (int i = 0; i < 8 + 2 * tile_reach; ++i) {
    const int at = first + i;
    window[i] = at < probe_threads ? sums[r * probe_threads + at] : 0.0f;
  }
  for (int i = 0; i < 8; ++i) {
    const int column = first + i, x = left + column;
    if (column < tile_columns && x < width) out[y * width + x] = sum_of_pairs(window + i + tile_reach, outer);
  }
}

// A pixel plus `outer` times those up to tile_reach beside it, along columns, then along rows; the image is mirrored at
// its edges. groups: ⌈width/tile_columns⌉ × ⌈height/tile_rows⌉.
KERNEL WORK_GROUP_SIZE(probe_threads) void smooth_tiles(const GLOBAL float* image, int width, int height, float outer,
                                                        GLOBAL float* out) {
  await_previous_kernel();
  LOCAL float sums[tile_rows * probe_threads];
  const int left = group_id_x * tile_columns, top = group_row * tile_rows;
  smooth_columns(image, width, height, outer, left, top, sums);
  local_barrier();
  smooth_rows(sums, width, height, outer, left, top, out);
}
