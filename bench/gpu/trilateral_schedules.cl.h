// Other ways to share the windows of the trilateral filter among the threads of a GPU, to compare with that of
// trilateral_kernels.cl.h: tiles of other sizes; pixels where they are, eight by four to a warp; all pixels of the
// image in order of their windows (Sawada 2024); a warp for each window, a row for each of its threads.

// clang-format off
#include "trilateral/trilateral_kernels.cl.h"
// clang-format on

FILTER_NEAR_KERNEL(near_ordered_32x8, 32, 8, 64, PUT_TILE_IN_ORDER)
FILTER_NEAR_KERNEL(near_ordered_32x16, 32, 16, 256, PUT_TILE_IN_ORDER)
FILTER_NEAR_KERNEL(near_ordered_32x32, 32, 32, 256, PUT_TILE_IN_ORDER)
FILTER_NEAR_KERNEL(near_ordered_64x16, 64, 16, 256, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_32x8, 32, 8, 64, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_32x16, 32, 16, 256, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_32x32, 32, 32, 256, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_16x16, 16, 16, 32, PUT_TILE_IN_ORDER)

// Blocks of 8×4 pixels one behind the other. What lies outside the image stands for the pixel nearest to it, which is
// then summed again.
#define LEAVE_TILE_IN_PLACE(TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP)                         \
  SHARED integer order[(TILE_WIDTH) * (TILE_HEIGHT)];                                          \
  const integer tile_x = group_x * (TILE_WIDTH), tile_y = group_y * (TILE_HEIGHT);             \
  const integer ordered = (TILE_WIDTH) * (TILE_HEIGHT);                                        \
  for (integer i = thread_x; i < ordered; i += (THREADS_OF_GROUP)) {                           \
    const integer block = i / 32, in_x = block % ((TILE_WIDTH) / 8) * 8 + i % 8;               \
    const integer in_y = block / ((TILE_WIDTH) / 8) * 4 + i % 32 / 8;                          \
    const integer right = width - 1 - tile_x, bottom = height - 1 - tile_y;                    \
    order[i] = (in_y < bottom ? in_y : bottom) * (TILE_WIDTH) + (in_x < right ? in_x : right); \
  }                                                                                            \
  barrier_of_group()

FILTER_NEAR_KERNEL(near_in_place, 32, 16, 128, LEAVE_TILE_IN_PLACE)
FILTER_FAR_KERNEL(far_in_place, 32, 16, 128, LEAVE_TILE_IN_PLACE)

// groups: ⌈width/32⌉ × ⌈height/8⌉; counts: MOST_LEVELS + 2 words that are 0. Pixels of each level.
KERNEL THREADS(256) void count_levels(const GLOBAL octet* levels, integer levels_stride, integer width, integer height,
                                      GLOBAL word* counts) {
  await_previous_kernel();
  SHARED word here[MOST_LEVELS + 2];
  if (thread_x < MOST_LEVELS + 2) here[thread_x] = 0;
  barrier_of_group();
  const integer x = group_x * 32 + thread_x % 32, y = group_y * 8 + thread_x / 32;
  if (x < width && y < height) add_shared(here + MOST_LEVELS - levels[(wide)y * levels_stride + x] + 1, 1);
  barrier_of_group();
  if (thread_x < MOST_LEVELS + 2) add_global(counts + thread_x, here[thread_x]);
}

// One group. Where each level's pixels begin in the list.
KERNEL THREADS(32) void begin_levels(GLOBAL word* counts) {
  await_previous_kernel();
  if (thread_x == 0) {
    for (integer i = 1; i < MOST_LEVELS + 2; ++i) counts[i] += counts[i - 1];
  }
}

// groups: ⌈width/32⌉ × ⌈height/8⌉. Lists the pixels, the highest level first; those of a group stay together.
KERNEL THREADS(256) void list_pixels(const GLOBAL octet* levels, integer levels_stride, integer width, integer height,
                                     GLOBAL word* begin, GLOBAL integer* list) {
  await_previous_kernel();
  SHARED word here[MOST_LEVELS + 1];
  SHARED word first[MOST_LEVELS + 1];
  if (thread_x < MOST_LEVELS + 1) here[thread_x] = 0;
  barrier_of_group();
  const integer x = group_x * 32 + thread_x % 32, y = group_y * 8 + thread_x / 32;
  const truth inside = x < width && y < height;
  const integer place = inside ? MOST_LEVELS - levels[(wide)y * levels_stride + x] : 0;
  word rank = 0;
  if (inside) rank = add_shared(here + place, 1);
  barrier_of_group();
  if (thread_x < MOST_LEVELS + 1) first[thread_x] = add_global(begin + thread_x, here[thread_x]);
  barrier_of_group();
  if (inside) list[first[place] + rank] = y * width + x;
}

// groups: ⌈width·height/128⌉.
KERNEL THREADS(128) void filter_listed(FILTER_ARGUMENTS, const GLOBAL integer* list) {
  await_previous_kernel();
  TRILATERAL_TABLES(MOST_REACH);
  LOAD_TRILATERAL_TABLES(128)
  barrier_of_group();
  const integer i = group_x * 128 + thread_x;
  if (i >= width * height) return;
  const GLOBAL integer* order = list;
  const integer tile_x = 0, tile_y = 0;
  TAKE_PIXEL(width, i);
  const integer first = reach < y ? -reach : -y, last = reach < height - y ? reach : height - 1 - y;
  for (integer n = first; n <= last; ++n) {
    const integer distance = n < 0 ? -n : n;
    const integer extent = reach < discs[distance] ? reach : discs[distance];
    const integer before = extent < x ? extent : x, after = extent < width - x ? extent : width - 1 - x;
    const real plane = fused(gy, to_real(n), value);
    SUM_ROW_OF_WINDOW(scaled + (wide)(y + n) * stride + x, before, after)
    all_weights = fused(row_weights[distance], weights, all_weights);
    all_differences = fused(row_weights[distance], differences, all_differences);
  }
  PUT_PIXEL();
}

// groups: ⌈width/32⌉ × ⌈height/16⌉. Each of the group's four warps takes every fourth pixel of the tile's order.
KERNEL THREADS(128) void filter_by_rows(FILTER_ARGUMENTS) {
  await_previous_kernel();
  TRILATERAL_TABLES(MOST_REACH);
  SHARED real sums_of_weights[4 * (2 * MOST_REACH + 1)];
  SHARED real sums_of_differences[4 * (2 * MOST_REACH + 1)];
  LOAD_TRILATERAL_TABLES(128)
  PUT_TILE_IN_ORDER(32, 16, 128);
  const integer warp = thread_x / 32, sums = warp * (2 * MOST_REACH + 1) + shape.reach;
  for (integer turn = 0; turn * 4 < ordered; ++turn) {
    const integer mine = turn * 4 + warp, place = mine < ordered ? mine : ordered - 1;
    TAKE_PIXEL(32, place);
    const integer first = reach < y ? -reach : -y, last = reach < height - y ? reach : height - 1 - y;
    for (integer n = first + thread_x % 32; n <= last; n += 32) {
      const integer distance = n < 0 ? -n : n;
      const integer extent = reach < discs[distance] ? reach : discs[distance];
      const integer before = extent < x ? extent : x, after = extent < width - x ? extent : width - 1 - x;
      const real plane = fused(gy, to_real(n), value);
      SUM_ROW_OF_WINDOW(scaled + (wide)(y + n) * stride + x, before, after)
      sums_of_weights[sums + n] = weights;
      sums_of_differences[sums + n] = differences;
    }
    barrier_of_group();
    for (integer n = first; n <= last; ++n) {
      const real row_weight = row_weights[n < 0 ? -n : n];
      all_weights = fused(row_weight, sums_of_weights[sums + n], all_weights);
      all_differences = fused(row_weight, sums_of_differences[sums + n], all_differences);
    }
    if (thread_x % 32 == 0) {
      PUT_PIXEL();
    }
    barrier_of_group();
  }
}
