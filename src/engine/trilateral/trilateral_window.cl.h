// Windows summed on a GPU: each thread takes a pixel, sums the rows of its window one after the other, and writes the
// resulting pixel. Included by trilateral_kernels.cl.h.

// The parameters of a kernel that filters, and its images made of them.
#define FILTER_PARAMETERS                                                                                           \
  const GLOBAL float *grey, int64_t grey_first, int grey_stride, const GLOBAL float *scaled, int stride, int width, \
      int height, const TrilateralShape shape, const GLOBAL uint *range, const GLOBAL uchar *levels,                \
      int levels_stride, const GLOBAL float *smooth_x, const GLOBAL float *smooth_y, const GLOBAL float *exponent,  \
      const GLOBAL float *row_weight, const GLOBAL int *disc, GLOBAL float *out, int64_t out_first, int out_stride
#define FILTER_IMAGES                                                                                        \
  {                                                                                                          \
    shape, width, height, grey + grey_first, grey_stride, scaled, stride, smooth_x, smooth_y, range, levels, \
        levels_stride, out + out_first, out_stride                                                           \
  }

typedef struct FilterImages {
  TrilateralShape shape;
  int width, height;
  const GLOBAL float* grey;
  int grey_stride;
  const GLOBAL float* scaled;
  int stride;  // of the smoothed gradients, too
  const GLOBAL float* smooth_x;
  const GLOBAL float* smooth_y;
  const GLOBAL uint* range;
  const GLOBAL uchar* levels;
  int levels_stride;
  GLOBAL float* out;
  int out_stride;
} FilterImages;

// The pixels that a group filters, from (x, y) on, and its threads.
typedef struct Tile {
  int x, y, width, height, threads;
} Tile;

OCTAVO_INLINE Tile tile_of_group(int width, int height, int threads) {
  Tile t;
  t.x = group_id_x * width;
  t.y = group_row * height;
  t.width = width;
  t.height = height;
  t.threads = threads;
  return t;
}

// The plan's tables in local memory: E from −reach to reach, W and half the widths of the disc from 0 to reach.
typedef struct WindowTables {
  const LOCAL_PTR float* exponents;  // of the middle
  const LOCAL_PTR float* row_weights;
  const LOCAL_PTR int* discs;
} WindowTables;

OCTAVO_INLINE WindowTables load_tables(LOCAL_PTR float* exponents, LOCAL_PTR float* row_weights, LOCAL_PTR int* discs,
                                       int reach, const GLOBAL float* exponent, const GLOBAL float* row_weight,
                                       const GLOBAL int* disc, const Tile tile) {
  for (int i = local_id_x; i <= reach; i += tile.threads) {
    exponents[reach + i] = exponent[i];
    exponents[reach - i] = exponent[i];
    row_weights[i] = row_weight[i];
    discs[i] = disc[i];
  }
  WindowTables t;
  t.exponents = exponents + reach;
  t.row_weights = row_weights;
  t.discs = discs;
  return t;
}

// A copy of the tile and what its windows reach, in rows of tile.width + 2·reach pixels.
OCTAVO_INLINE void load_tile(const FilterImages images, const Tile tile, LOCAL_PTR float* pixels) {
  const int reach = images.shape.reach, pitch = tile.width + 2 * reach, rows = tile.height + 2 * reach;
  for (int i = local_id_x; i < pitch * rows; i += tile.threads) {
    const int x = tile.x - reach + i % pitch, y = tile.y - reach + i / pitch;
    const bool inside = x >= 0 && x < images.width && y >= 0 && y < images.height;
    pixels[i] = inside ? images.scaled[(int64_t)y * images.stride + x] : nowhere;
  }
}

// The three steps of order_tile.
OCTAVO_INLINE void count_tile(const FilterImages images, const Tile tile, LOCAL_PTR uint* places) {
  for (int i = local_id_x; i < tile.width * tile.height; i += tile.threads) {
    const int x = tile.x + i % tile.width, y = tile.y + i / tile.width;
    const bool here = x < images.width && y < images.height;
    const int level = here ? images.levels[(int64_t)y * images.levels_stride + x] : 0;
    if (level > 0) {
      atomic_add_local(places + most_levels - level + 1, 1);
    } else if (here) {
      images.out[(int64_t)y * images.out_stride + x] = clipped(images.grey[(int64_t)y * images.grey_stride + x] + 0.0f);
    }
  }
}

OCTAVO_INLINE void begin_places(LOCAL_PTR uint* places) {
  if (local_id_x != 0) return;
  for (int i = 1; i < level_counts; ++i) places[i] += places[i - 1];
}

OCTAVO_INLINE void list_tile(const FilterImages images, const Tile tile, LOCAL_PTR uint* places, LOCAL_PTR int* order) {
  for (int i = local_id_x; i < tile.width * tile.height; i += tile.threads) {
    const int x = tile.x + i % tile.width, y = tile.y + i / tile.width;
    const bool here = x < images.width && y < images.height;
    const int level = here ? images.levels[(int64_t)y * images.levels_stride + x] : 0;
    if (level > 0) order[atomic_add_local(places + most_levels - level, 1)] = i;
  }
}

// Puts the pixels of a tile that have a window, y·tile.width + x, in order of their levels, the highest first. Returns
// their number. Pixels without a window stay unchanged. `places` has level_counts words. Ends with a barrier.
OCTAVO_INLINE int order_tile(const FilterImages images, const Tile tile, LOCAL_PTR uint* places, LOCAL_PTR int* order) {
  for (int i = local_id_x; i < level_counts; i += tile.threads) places[i] = 0;
  local_barrier();
  count_tile(images, tile, places);
  local_barrier();
  begin_places(places);
  local_barrier();
  const int ordered = (int)places[most_levels + 1];
  local_barrier();
  list_tile(images, tile, places, order);
  local_barrier();
  return ordered;
}

// The index of the pixel that thread number `thread` sums in turn `turn`. Every other turn goes backwards through the
// warps, so that all warps have about the same work.
OCTAVO_INLINE int place_in_turn(int thread, int turn, int threads) {
  return turn * threads + (turn % 2 == 0 ? thread : threads - 1 - thread);
}

// A pixel, the plane through it, and the reach of its window.
typedef struct WindowPixel {
  int x, y;
  float value, down, gy;  // down = −gx
  int reach;
} WindowPixel;

// Pixel number y·tile.width + x of a tile.
OCTAVO_INLINE WindowPixel pixel_of_tile(const FilterImages images, const Tile tile, int number) {
  WindowPixel p;
  p.x = tile.x + number % tile.width;
  p.y = tile.y + number / tile.width;
  const int64_t at = (int64_t)p.y * images.stride + p.x;
  Gradient g = gradient_at(images.scaled, images.stride, p.x, p.y, images.width, images.height);
  if (images.shape.smoothing > 0) {
    g.x = images.smooth_x[at];
    g.y = images.smooth_y[at];
  }
  p.value = images.scaled[at];
  p.down = 0.0f - g.x;
  p.gy = g.y;
  p.reach = reach_of_level(images.levels[(int64_t)p.y * images.levels_stride + p.x], images.shape.certified,
                           images.shape.reach);
  return p;
}

// Sums of weights and of weighted differences, of a row or of a window.
typedef struct TapSums {
  float weights, differences;
} TapSums;

OCTAVO_INLINE TapSums no_taps(void) {
  TapSums sums;
  sums.weights = sums.differences = 0;
  return sums;
}

OCTAVO_INLINE void add_row(TapSums* window, const TapSums row, float row_weight) {
  window->weights = fma(row_weight, row.weights, window->weights);
  window->differences = fma(row_weight, row.differences, window->differences);
}

OCTAVO_INLINE void put_pixel(const FilterImages images, const WindowPixel pixel, const TapSums window) {
  images.out[(int64_t)pixel.y * images.out_stride + pixel.x] =
      clipped(fma(window.differences / window.weights, unscale_of(sigma_r_in(images.range)),
                  images.grey[(int64_t)pixel.y * images.grey_stride + pixel.x]));
}

// A row of a window: taps −before … after of its middle, and the value of the plane through the pixel there.
typedef struct WindowRow {
  int before, after;
  float plane, down;
} WindowRow;

// Row n of the window of a pixel, including its part outside the image.
OCTAVO_INLINE WindowRow row_of_window(const WindowTables tables, const WindowPixel pixel, int n) {
  const int disc = tables.discs[n < 0 ? -n : n];
  WindowRow row;
  row.before = row.after = pixel.reach < disc ? pixel.reach : disc;
  row.plane = fma(pixel.gy, to_float(n), pixel.value);
  row.down = pixel.down;
  return row;
}

// Row n of the window of a pixel, limited to the image.
OCTAVO_INLINE WindowRow row_of_image(const FilterImages images, const WindowTables tables, const WindowPixel pixel,
                                     int n) {
  WindowRow row = row_of_window(tables, pixel, n);
  const int extent = row.before;
  row.before = extent < pixel.x ? extent : pixel.x;
  row.after = extent < images.width - pixel.x ? extent : images.width - 1 - pixel.x;
  return row;
}

// Adds a tap, whose scaled grey value is `value`, to the sums of its row. `step` is its column, as a float; `exponent`
// the E of that.
OCTAVO_INLINE void add_tap(TapSums* sums, const WindowRow row, float value, float step, float exponent) {
  const float difference = fma(row.down, step, value - row.plane);
  const float w = two_to_minus(fma(difference, difference, exponent));
  sums->weights = sums->weights + w;
  sums->differences = fma(difference, w, sums->differences);
}

// The sums of a row whose middle lies in local memory.
OCTAVO_INLINE TapSums sum_row_of_tile(const WindowTables tables, const WindowRow row, const LOCAL_PTR float* middle) {
  TapSums sums = no_taps();
  float step = to_float(-row.before);
  for (int m = -row.before; m <= row.after; ++m) {
    add_tap(&sums, row, middle[m], step, tables.exponents[m]);
    step = step + 1.0f;
  }
  return sums;
}

// The sums of a row of the image. Four taps are loaded before the first of them is added, so that the latency of memory
// is paid once. This is faster if memory is far away and windows are wide.
OCTAVO_INLINE TapSums sum_row_by_fours(const WindowTables tables, const WindowRow row, const GLOBAL float* middle) {
  TapSums sums = no_taps();
  float step = to_float(-row.before);
  int m = -row.before;
  for (; m + 3 <= row.after; m += 4) {
    const float tap = middle[m], tap_1 = middle[m + 1], tap_2 = middle[m + 2], tap_3 = middle[m + 3];
    add_tap(&sums, row, tap, step, tables.exponents[m]);
    step = step + 1.0f;
    add_tap(&sums, row, tap_1, step, tables.exponents[m + 1]);
    step = step + 1.0f;
    add_tap(&sums, row, tap_2, step, tables.exponents[m + 2]);
    step = step + 1.0f;
    add_tap(&sums, row, tap_3, step, tables.exponents[m + 3]);
    step = step + 1.0f;
  }
  for (; m <= row.after; ++m) {
    add_tap(&sums, row, middle[m], step, tables.exponents[m]);
    step = step + 1.0f;
  }
  return sums;
}

// Filters the listed pixels of a tile from its copy.
OCTAVO_INLINE void filter_tile_near(const FilterImages images, const WindowTables tables, const Tile tile,
                                    const LOCAL_PTR float* pixels, const LOCAL_PTR int* order, int ordered) {
  const int reach = images.shape.reach, pitch = tile.width + 2 * reach;
  for (int turn = 0; turn * tile.threads < ordered; ++turn) {
    const int place = place_in_turn(local_id_x, turn, tile.threads);
    if (place < ordered) {
      const WindowPixel pixel = pixel_of_tile(images, tile, order[place]);
      const LOCAL_PTR float* middle = pixels + (pixel.y - tile.y + reach) * pitch + pixel.x - tile.x + reach;
      TapSums sums = no_taps();
      for (int n = -pixel.reach; n <= pixel.reach; ++n) {
        add_row(&sums, sum_row_of_tile(tables, row_of_window(tables, pixel, n), middle + n * pitch),
                tables.row_weights[n < 0 ? -n : n]);
      }
      put_pixel(images, pixel, sums);
    }
  }
}
