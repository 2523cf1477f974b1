// Other ways to share the windows of the trilateral filter among the threads of a GPU, to compare with that of
// trilateral_kernels.cl.h: tiles of other sizes; large windows by tiles, too; pixels where they are, eight by four to a
// warp; a warp for each window, a row for each of its threads.

// clang-format off
#include "trilateral/trilateral_kernels.cl.h"
// clang-format on

FILTER_NEAR_KERNEL(near_ordered_32x8, 32, 8, 64, PUT_TILE_IN_ORDER)
FILTER_NEAR_KERNEL(near_ordered_32x16_by_128, 32, 16, 128, PUT_TILE_IN_ORDER)
FILTER_NEAR_KERNEL(near_ordered_32x32, 32, 32, 256, PUT_TILE_IN_ORDER)
FILTER_NEAR_KERNEL(near_ordered_64x16, 64, 16, 256, PUT_TILE_IN_ORDER)

// Windows from the image itself, tile by tile. groups: ⌈width/TILE_WIDTH⌉·⌈height/TILE_HEIGHT⌉.
#define FILTER_FAR_KERNEL(NAME, TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP, ORDER) \
  KERNEL THREADS(THREADS_OF_GROUP) void NAME(FILTER_ARGUMENTS) {                  \
    await_previous_kernel();                                                      \
    TRILATERAL_TABLES(MOST_REACH);                                                \
    TILE_OF_GROUP(TILE_WIDTH, TILE_HEIGHT);                                       \
    LOAD_TRILATERAL_TABLES(THREADS_OF_GROUP)                                      \
    ORDER(TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP);                             \
    for (integer turn = 0; turn * (THREADS_OF_GROUP) < ordered; ++turn) {         \
      const integer place = place_in_turn(thread_x, turn, THREADS_OF_GROUP);      \
      if (place < ordered) {                                                      \
        TAKE_PIXEL(TILE_WIDTH, place);                                            \
        SUM_WINDOW_OF_IMAGE(SUM_ROW_OF_WINDOW)                                    \
        PUT_PIXEL();                                                              \
      }                                                                           \
    }                                                                             \
  }

FILTER_FAR_KERNEL(far_ordered_32x8, 32, 8, 64, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_32x16, 32, 16, 256, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_32x16_by_128, 32, 16, 128, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_32x32, 32, 32, 256, PUT_TILE_IN_ORDER)
FILTER_FAR_KERNEL(far_ordered_16x16, 16, 16, 32, PUT_TILE_IN_ORDER)

// Blocks of 8×4 pixels one behind the other. What lies outside the image stands for the pixel nearest to it, which is
// then summed again.
#define LEAVE_TILE_IN_PLACE(TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP)                         \
  SHARED integer order[(TILE_WIDTH) * (TILE_HEIGHT)];                                          \
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

// groups: ⌈width/32⌉·⌈height/16⌉. Each of the group's four warps takes every fourth pixel of the tile's order.
KERNEL THREADS(128) void filter_by_rows(FILTER_ARGUMENTS) {
  await_previous_kernel();
  TRILATERAL_TABLES(MOST_REACH);
  SHARED real sums_of_weights[4 * (2 * MOST_REACH + 1)];
  SHARED real sums_of_differences[4 * (2 * MOST_REACH + 1)];
  LOAD_TRILATERAL_TABLES(128)
  TILE_OF_GROUP(32, 16);
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
