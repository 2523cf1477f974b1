// Other ways to share the windows of the trilateral filter among the threads of a GPU, to compare with that of
// trilateral_kernels.cl.h: tiles of other sizes; large windows by tiles, too; pixels where they are, eight by four to a
// warp; a warp for each window, a row for each of its threads.

// clang-format off
#include "engine/trilateral/trilateral_kernels.cl.h"
// clang-format on

// The sums over a row of the image, one tap after the other.
OCTAVO_INLINE TapSums sum_row_of_image(const WindowTables tables, const WindowRow row, const GLOBAL float* middle) {
  TapSums sums = no_taps();
  float step = to_float(-row.before);
  for (int m = -row.before; m <= row.after; ++m) {
    add_tap(&sums, row, middle[m], step, tables.exponents[m]);
    step = step + 1.0f;
  }
  return sums;
}

// Filters the listed pixels of a tile from the image.
OCTAVO_INLINE void filter_tile_far(const FilterImages images, const WindowTables tables, const Tile tile,
                                   const LOCAL_PTR int* order, int ordered) {
  for (int turn = 0; turn * tile.threads < ordered; ++turn) {
    const int place = place_in_turn(local_id_x, turn, tile.threads);
    if (place < ordered) {
      const WindowPixel pixel = pixel_of_tile(images, tile, order[place]);
      const int first = pixel.reach < pixel.y ? -pixel.reach : -pixel.y;
      const int last = pixel.reach < images.height - pixel.y ? pixel.reach : images.height - 1 - pixel.y;
      TapSums sums = no_taps();
      for (int n = first; n <= last; ++n) {
        const WindowRow row = row_of_image(images, tables, pixel, n);
        add_row(&sums, sum_row_of_image(tables, row, images.scaled + (int64_t)(pixel.y + n) * images.stride + pixel.x),
                tables.row_weights[n < 0 ? -n : n]);
      }
      put_pixel(images, pixel, sums);
    }
  }
}

// Lists the tile's pixels in blocks of 8×4, one block after the other. A place outside the image is replaced by the
// nearest pixel, which is then summed again. Takes the arguments of order_tile and returns the number of listed pixels.
OCTAVO_INLINE int list_in_place(const FilterImages images, const Tile tile, LOCAL_PTR uint* places,
                                LOCAL_PTR int* order) {
  (void)places;
  for (int i = local_id_x; i < tile.width * tile.height; i += tile.threads) {
    const int block = i / 32, across = tile.width / 8;
    const int x = block % across * 8 + i % 8, y = block / across * 4 + i % 32 / 8;
    const int right = images.width - 1 - tile.x, bottom = images.height - 1 - tile.y;
    order[i] = (y < bottom ? y : bottom) * tile.width + (x < right ? x : right);
  }
  local_barrier();
  return tile.width * tile.height;
}

#define TILE_WIDTH 32
#define TILE_HEIGHT 16
#define TILE_THREADS 128
#define LIST_TILE list_in_place
#define NAMED(name) name##_in_place
#include "trilateral_tile.cl.h"
#undef LIST_TILE
#define LIST_TILE order_tile
#undef NAMED
#define NAMED(name) name##_ordered_32x16_by_128
#include "trilateral_tile.cl.h"
#undef TILE_THREADS
#define TILE_THREADS 256
#undef NAMED
#define NAMED(name) name##_ordered_32x16
#include "trilateral_tile.cl.h"
#undef TILE_HEIGHT
#define TILE_HEIGHT 32
#undef NAMED
#define NAMED(name) name##_ordered_32x32
#include "trilateral_tile.cl.h"
#undef TILE_WIDTH
#undef TILE_HEIGHT
#define TILE_WIDTH 64
#define TILE_HEIGHT 16
#undef NAMED
#define NAMED(name) name##_ordered_64x16
#include "trilateral_tile.cl.h"
#undef TILE_WIDTH
#undef TILE_HEIGHT
#undef TILE_THREADS
#define TILE_WIDTH 32
#define TILE_HEIGHT 8
#define TILE_THREADS 64
#undef NAMED
#define NAMED(name) name##_ordered_32x8
#include "trilateral_tile.cl.h"
#undef TILE_WIDTH
#undef TILE_HEIGHT
#undef TILE_THREADS
#define TILE_WIDTH 16
#define TILE_HEIGHT 16
#define TILE_THREADS 32
#undef NAMED
#define NAMED(name) name##_ordered_16x16
#include "trilateral_tile.cl.h"

// groups: ⌈width/32⌉ × ⌈height/16⌉. Each of the group's four warps takes every fourth pixel of the tile's order.
KERNEL WORK_GROUP_SIZE(128) void filter_by_rows(FILTER_PARAMETERS) {
  await_previous_kernel();
  LOCAL float exponents[2 * most_reach + 1];
  LOCAL float row_weights[most_reach + 1];
  LOCAL int discs[most_reach + 1];
  LOCAL float sums_of_weights[4 * (2 * most_reach + 1)];
  LOCAL float sums_of_differences[4 * (2 * most_reach + 1)];
  LOCAL int order[32 * 16];
  LOCAL uint places[level_counts];
  const FilterImages images = FILTER_IMAGES;
  const Tile tile = tile_of_group(32, 16, 128);
  const WindowTables tables = load_tables(exponents, row_weights, discs, shape.reach, exponent, row_weight, disc, tile);
  const int ordered = order_tile(images, tile, places, order);
  const int warp = local_id_x / 32, at = warp * (2 * most_reach + 1) + shape.reach;
  for (int turn = 0; turn * 4 < ordered; ++turn) {
    const int mine = turn * 4 + warp, place = mine < ordered ? mine : ordered - 1;
    const WindowPixel pixel = pixel_of_tile(images, tile, order[place]);
    const int first = pixel.reach < pixel.y ? -pixel.reach : -pixel.y;
    const int last = pixel.reach < height - pixel.y ? pixel.reach : height - 1 - pixel.y;
    for (int n = first + local_id_x % 32; n <= last; n += 32) {
      const TapSums sums = sum_row_of_image(tables, row_of_image(images, tables, pixel, n),
                                            scaled + (int64_t)(pixel.y + n) * stride + pixel.x);
      sums_of_weights[at + n] = sums.weights;
      sums_of_differences[at + n] = sums.differences;
    }
    local_barrier();
    TapSums window = no_taps();
    for (int n = first; n <= last; ++n) {
      TapSums row;
      row.weights = sums_of_weights[at + n];
      row.differences = sums_of_differences[at + n];
      add_row(&window, row, tables.row_weights[n < 0 ? -n : n]);
    }
    if (local_id_x % 32 == 0) put_pixel(images, pixel, window);
    local_barrier();
  }
}
