// The trilateral filter on a GPU.
//
//   to_grey       the image in grey
//   find_range    the least and the largest gradient of the image; every later kernel makes its scale from them
//   count_greys, find_contrast   or σ_r from the contrast of an image, in its stead
//   to_scaled     the scaled image
//   find_levels   how far each pixel's gradients are alike: ring by ring around it, in a tile of gradients
//   smooth        gradients, from a tile of them; for σ_c ≥ 3
//   filter_near   windows that are small: a group puts the pixels of its tile in order of their levels, so that the
//                 threads of a warp have windows of one size, and each thread sums a window at a time, from a copy of
//                 the tile in shared memory
//   count_levels, begin_levels, list_pixels   all pixels of the image in order of their levels, for
//   filter_far    windows that are large: a thread each, the largest first, from the image itself. Neighbours read the
//                 same rows, and find them in the cache; groups that began with large windows make room for small ones

// The words come before what is written in them.
// clang-format off
#include "maths/kernel_words.h"
#include "scale_space/pixel_maths.h"
#include "scale_space/grey.cl.h"
#include "trilateral/trilateral_layout.h"
#include "trilateral/trilateral_maths.h"
#include "trilateral/contrast_maths.h"
#include "trilateral/trilateral_window.cl.h"
// clang-format on

// Outside the image: its difference from any scaled grey value, squared, is infinite.
OCTAVO_CONSTANT real nowhere = 1e36f;

// What σ_r follows from, in words: the least and the largest gradient, as bits of floats that are not negative and so
// in their order. The least comes from the top: whatever is found raises both from 0. If the third is not 0, σ_r is the
// fourth, as bits, and follows from something else.
OCTAVO_CONSTANT word bits_of_infinity = 0x7f800000;

OCTAVO_INLINE real sigma_r_in(const GLOBAL word* range) {
  if (range[2] != 0) return bits_to_real(range[3]);
  return sigma_r_of(bits_to_real(bits_of_infinity - range[0]), bits_to_real(range[1]));
}

// Groups stand one behind the other where there are as many rows of them as an image may be high: CUDA has no more than
// 65535 along y.
#define TILE_OF_GROUP(TILE_WIDTH, TILE_HEIGHT)                          \
  const integer tiles_across = (width + (TILE_WIDTH)-1) / (TILE_WIDTH); \
  const integer tile_x = group_x % tiles_across * (TILE_WIDTH);         \
  const integer tile_y = group_x / tiles_across * (TILE_HEIGHT)

// groups: ⌈width/256⌉ × any number.
KERNEL THREADS(256) void to_grey(const GLOBAL octet* image, wide image_stride, integer channels, integer sample_bytes,
                                 real red, real green, real blue, real single, integer width, integer height,
                                 GLOBAL real* out, integer stride) {
  await_previous_kernel();
  const integer x = group_x * 256 + thread_x;
  if (x >= width) return;
  for (integer y = group_y; y < height; y += groups_y) {
    out[(wide)y * stride + x] =
        grey_of(image + (wide)y * image_stride, x, channels, sample_bytes, red, green, blue, single);
  }
}

// The gradient at a pixel of an image.
#define GRADIENT(IMAGE, STRIDE, X, Y, WIDTH, HEIGHT, GX, GY)          \
  {                                                                   \
    const wide at = (wide)(Y) * (STRIDE) + (X);                       \
    const real here = (IMAGE)[at];                                    \
    (GX) = (X) + 1 < (WIDTH) ? (IMAGE)[at + 1] - here : 0.0f;         \
    (GY) = (Y) + 1 < (HEIGHT) ? (IMAGE)[at + (STRIDE)] - here : 0.0f; \
  }

// groups: ⌈width/256⌉ × ⌈height/rows⌉.
KERNEL THREADS(256) void find_range(const GLOBAL real* grey, wide first, integer stride, integer width, integer height,
                                    integer rows, GLOBAL word* range) {
  await_previous_kernel();
  SHARED word least[256];
  SHARED word largest[256];
  const integer x = group_x * 256 + thread_x;
  const integer end = x >= width ? 0 : (group_y + 1) * rows < height ? (group_y + 1) * rows : height;
  word below_infinity = 0, above_zero = 0;
  for (integer y = group_y * rows; y < end; ++y) {
    real gx, gy;
    GRADIENT(grey + first, stride, x, y, width, height, gx, gy);
    const word bits = (word)bits_of_real(magnitude(gx, gy));
    below_infinity = bits_of_infinity - bits > below_infinity ? bits_of_infinity - bits : below_infinity;
    above_zero = bits > above_zero ? bits : above_zero;
  }
  least[thread_x] = below_infinity;
  largest[thread_x] = above_zero;
  barrier_of_group();
  const integer column = thread_x % 16;
  for (integer i = 1; i < 16; ++i) {
    const word other_least = least[16 * i + column], other_largest = largest[16 * i + column];
    below_infinity = other_least > below_infinity ? other_least : below_infinity;
    above_zero = other_largest > above_zero ? other_largest : above_zero;
  }
  if (thread_x < 16) {
    raise_global(range, below_infinity);
    raise_global(range + 1, above_zero);
  }
}

// Counts grey values; `bins` are 0 at first. groups: ⌈width/256⌉ × ⌈height/rows⌉.
KERNEL THREADS(256) void count_greys(const GLOBAL real* grey, wide first, integer stride, integer width, integer height,
                                     integer rows, GLOBAL word* bins) {
  await_previous_kernel();
  SHARED word counts[contrast_bins];
  for (integer i = thread_x; i < contrast_bins; i += 256) counts[i] = 0;
  barrier_of_group();
  const integer x = group_x * 256 + thread_x;
  const integer end = x >= width ? 0 : (group_y + 1) * rows < height ? (group_y + 1) * rows : height;
  for (integer y = group_y * rows; y < end; ++y)
    add_shared(counts + contrast_bin(grey[first + (wide)y * stride + x]), 1);
  barrier_of_group();
  for (integer i = thread_x; i < contrast_bins; i += 256) {
    if (counts[i] > 0) add_global(bins + i, counts[i]);
  }
}

// The contrast of an image of so many pixels, and the σ_r that follows from it. groups: 1.
KERNEL THREADS(256) void find_contrast(const GLOBAL word* bins, wide pixels, GLOBAL real* contrast,
                                       GLOBAL word* range) {
  await_previous_kernel();
  SHARED wide sums[256];
  SHARED word below[2];
  const integer share = contrast_bins / 256, begin = thread_x * share;
  wide sum = 0;
  for (integer i = begin; i < begin + share; ++i) sum += bins[i];
  sums[thread_x] = sum;
  if (thread_x < 2) below[thread_x] = 0;
  barrier_of_group();
  wide counted = 0;
  for (integer i = 0; i < thread_x; ++i) counted += sums[i];
  word below_first = 0, below_last = 0;
  for (integer i = begin; i < begin + share; ++i) {
    counted += bins[i];
    below_first += is_below_first_percentile(counted, pixels) ? 1 : 0;
    below_last += is_below_last_percentile(counted, pixels) ? 1 : 0;
  }
  add_shared(below, below_first);
  add_shared(below + 1, below_last);
  barrier_of_group();
  const real found = contrast_between((integer)below[0], (integer)below[1]);
  const word sigma_r = (word)bits_of_real(contrast_fraction * found);
  if (thread_x == 0) {
    contrast[0] = found;
    range[2] = 1;
    range[3] = sigma_r;
  }
}

// groups: ⌈width/256⌉ × any number.
KERNEL THREADS(256) void to_scaled(const GLOBAL real* grey, wide first, integer stride, integer width, integer height,
                                   const GLOBAL word* range, GLOBAL real* scaled, integer scaled_stride) {
  await_previous_kernel();
  const integer x = group_x * 256 + thread_x;
  const real scale = scale_of(sigma_r_in(range));
  if (x >= width) return;
  for (integer y = group_y; y < height; y += groups_y) {
    scaled[(wide)y * scaled_stride + x] = grey[first + (wide)y * stride + x] * scale;
  }
}

// Where no level is higher than this.
#define MOST_LEVELS 22
#define LEVELS_SIDE (32 + 2 * MOST_LEVELS)

// groups: ⌈width/32⌉·⌈height/32⌉.
KERNEL THREADS(256) void find_levels(const GLOBAL real* scaled, integer stride, integer width, integer height,
                                     const TrilateralShape shape, const GLOBAL word* range, GLOBAL octet* levels,
                                     integer levels_stride) {
  await_previous_kernel();
  SHARED real sizes[LEVELS_SIDE * LEVELS_SIDE];
  const integer most = shape.most_levels, side = 32 + 2 * most;
  TILE_OF_GROUP(32, 32);
  const integer left = tile_x - most, top = tile_y - most;
  const real nothing = real_of_bits(0x7fc00000);  // neither above nor below any other
  for (integer i = thread_x; i < side * side; i += 256) {
    const integer y = top + i / side, x = left + i % side;
    real size = nothing;
    if (x >= 0 && x < width && y >= 0 && y < height) {
      real gx, gy;
      GRADIENT(scaled, stride, x, y, width, height, gx, gy);
      size = magnitude(gx, gy);
    }
    sizes[i] = size;
  }
  barrier_of_group();
  const truth is_scaled = scale_of(sigma_r_in(range)) > 0;
  for (integer i = thread_x; i < 1024; i += 256) {
    const integer x = i % 32, y = i / 32;
    const SHARED_POINTER real* here = sizes + (y + most) * side + x + most;
    const real high = here[0] + scaled_sigma_r, low = here[0] - scaled_sigma_r;
    integer level = 0;
    truth alike = is_scaled;
    while (alike && level < most) {
      const integer k = level + 1;
      for (integer j = -k; j <= k; ++j) {
        const real a = here[j - k * side], b = here[j + k * side], c = here[j * side - k], d = here[j * side + k];
        alike = alike && !(a > high || a < low || b > high || b < low || c > high || c < low || d > high || d < low);
      }
      if (alike) level = k;
    }
    const integer column = tile_x + x, row = tile_y + y;
    if (column < width && row < height) levels[(wide)row * levels_stride + column] = (octet)level;
  }
}

#define MOST_SMOOTHING 15
#define SMOOTH_WIDTH (32 + 2 * MOST_SMOOTHING)
#define SMOOTH_HEIGHT (8 + 2 * MOST_SMOOTHING)

// groups: ⌈width/32⌉·⌈height/8⌉.
KERNEL THREADS(256) void smooth(const GLOBAL real* scaled, integer stride, integer width, integer height,
                                const TrilateralShape shape, const GLOBAL real* exponent, const GLOBAL real* row_weight,
                                GLOBAL real* out_x, GLOBAL real* out_y) {
  await_previous_kernel();
  SHARED real sizes[SMOOTH_WIDTH * SMOOTH_HEIGHT];
  SHARED real xs[SMOOTH_WIDTH * SMOOTH_HEIGHT];
  SHARED real ys[SMOOTH_WIDTH * SMOOTH_HEIGHT];
  const integer reach = shape.smoothing, side = 32 + 2 * reach, rows = 8 + 2 * reach;
  TILE_OF_GROUP(32, 8);
  const integer left = tile_x - reach, top = tile_y - reach;
  for (integer i = thread_x; i < side * rows; i += 256) {
    const integer y = top + i / side, x = left + i % side;
    real gx = 0, gy = 0, size = nowhere;
    if (x >= 0 && x < width && y >= 0 && y < height) {
      GRADIENT(scaled, stride, x, y, width, height, gx, gy);
      size = magnitude(gx, gy);
    }
    sizes[i] = size;
    xs[i] = gx;
    ys[i] = gy;
  }
  barrier_of_group();
  const integer middle = (thread_x / 32 + reach) * side + thread_x % 32 + reach;
  const real size = sizes[middle];
  real weights = 0, sum_x = 0, sum_y = 0;
  for (integer n = -reach; n <= reach; ++n) {
    real row_weights = 0, row_x = 0, row_y = 0;
    for (integer m = -reach; m <= reach; ++m) {
      const integer at = middle + n * side + m;
      const real difference = sizes[at] - size;
      const real w = two_to_minus(fused(difference, difference, exponent[m < 0 ? -m : m]));
      row_weights = row_weights + w;
      row_x = fused(xs[at], w, row_x);
      row_y = fused(ys[at], w, row_y);
    }
    const real weight = row_weight[n < 0 ? -n : n];
    weights = fused(weight, row_weights, weights);
    sum_x = fused(weight, row_x, sum_x);
    sum_y = fused(weight, row_y, sum_y);
  }
  const integer x = tile_x + thread_x % 32, y = tile_y + thread_x / 32;
  if (x < width && y < height) {
    out_x[(wide)y * stride + x] = sum_x / weights;
    out_y[(wide)y * stride + x] = sum_y / weights;
  }
}

// A tile's pixels that have a window, y·TILE_WIDTH + x, in order of their levels, the highest first, at the start of
// `order`; `ordered` of them. Those without come out as they are.
#define PUT_TILE_IN_ORDER(TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP)                                            \
  SHARED integer order[(TILE_WIDTH) * (TILE_HEIGHT)];                                                           \
  SHARED word places[MOST_LEVELS + 2];                                                                          \
  if (thread_x < MOST_LEVELS + 2) places[thread_x] = 0;                                                         \
  barrier_of_group();                                                                                           \
  for (integer i = thread_x; i < (TILE_WIDTH) * (TILE_HEIGHT); i += (THREADS_OF_GROUP)) {                       \
    const integer x = tile_x + i % (TILE_WIDTH), y = tile_y + i / (TILE_WIDTH);                                 \
    const truth here = x < width && y < height;                                                                 \
    const integer level = here ? levels[(wide)y * levels_stride + x] : 0;                                       \
    if (level > 0) {                                                                                            \
      add_shared(places + MOST_LEVELS - level + 1, 1);                                                          \
    } else if (here) {                                                                                          \
      out[out_first + (wide)y * out_stride + x] = clipped(grey[grey_first + (wide)y * grey_stride + x] + 0.0f); \
    }                                                                                                           \
  }                                                                                                             \
  barrier_of_group();                                                                                           \
  if (thread_x == 0) {                                                                                          \
    for (integer i = 1; i < MOST_LEVELS + 2; ++i) places[i] += places[i - 1];                                   \
  }                                                                                                             \
  barrier_of_group();                                                                                           \
  const integer ordered = (integer)places[MOST_LEVELS + 1];                                                     \
  barrier_of_group();                                                                                           \
  for (integer i = thread_x; i < (TILE_WIDTH) * (TILE_HEIGHT); i += (THREADS_OF_GROUP)) {                       \
    const integer x = tile_x + i % (TILE_WIDTH), y = tile_y + i / (TILE_WIDTH);                                 \
    const integer level = x < width && y < height ? levels[(wide)y * levels_stride + x] : 0;                    \
    if (level > 0) order[add_shared(places + MOST_LEVELS - level, 1)] = i;                                      \
  }                                                                                                             \
  barrier_of_group()

// What thread number `thread` sums in turn `turn`. Every other turn goes backwards through the warps, so that all have
// about as much to do.
OCTAVO_INLINE integer place_in_turn(integer thread, integer turn, integer threads) {
  return turn * threads + (turn % 2 == 0 ? thread : threads - 1 - thread);
}

// The pixel at a place of the order, its gradient and its window.
#define TAKE_PIXEL(TILE_WIDTH, PLACE)                                                                      \
  const integer pixel = order[PLACE];                                                                      \
  const integer x = tile_x + pixel % (TILE_WIDTH), y = tile_y + pixel / (TILE_WIDTH);                      \
  real gx, gy;                                                                                             \
  GRADIENT(scaled, stride, x, y, width, height, gx, gy);                                                   \
  if (shape.smoothing > 0) {                                                                               \
    gx = smooth_x[(wide)y * stride + x];                                                                   \
    gy = smooth_y[(wide)y * stride + x];                                                                   \
  }                                                                                                        \
  const real value = scaled[(wide)y * stride + x], down = 0.0f - gx;                                       \
  const integer reach = reach_of_level(levels[(wide)y * levels_stride + x], shape.certified, shape.reach); \
  real all_weights = 0, all_differences = 0

#define PUT_PIXEL()                                          \
  out[out_first + (wide)y * out_stride + x] = clipped(fused( \
      all_differences / all_weights, unscale_of(sigma_r_in(range)), grey[grey_first + (wide)y * grey_stride + x]))

#define FILTER_ARGUMENTS                                                                                           \
  const GLOBAL real *grey, wide grey_first, integer grey_stride, const GLOBAL real *scaled, integer stride,        \
      integer width, integer height, const TrilateralShape shape, const GLOBAL word *range,                        \
      const GLOBAL octet *levels, integer levels_stride, const GLOBAL real *smooth_x, const GLOBAL real *smooth_y, \
      const GLOBAL real *exponent, const GLOBAL real *row_weight, const GLOBAL integer *disc, GLOBAL real *out,    \
      wide out_first, integer out_stride

// For windows that reach at most so many pixels.
#define NEAR_REACH 11

// groups: ⌈width/TILE_WIDTH⌉·⌈height/TILE_HEIGHT⌉.
#define FILTER_NEAR_KERNEL(NAME, TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP, ORDER)                                \
  KERNEL THREADS(THREADS_OF_GROUP) void NAME(FILTER_ARGUMENTS) {                                                  \
    await_previous_kernel();                                                                                      \
    TRILATERAL_TABLES(NEAR_REACH);                                                                                \
    SHARED real tile[((TILE_WIDTH) + 2 * NEAR_REACH) * ((TILE_HEIGHT) + 2 * NEAR_REACH)];                         \
    TILE_OF_GROUP(TILE_WIDTH, TILE_HEIGHT);                                                                       \
    LOAD_TRILATERAL_TABLES(THREADS_OF_GROUP)                                                                      \
    const integer pitch = (TILE_WIDTH) + 2 * shape.reach, rows = (TILE_HEIGHT) + 2 * shape.reach;                 \
    for (integer i = thread_x; i < pitch * rows; i += (THREADS_OF_GROUP)) {                                       \
      const integer x = tile_x - shape.reach + i % pitch;                                                         \
      const integer y = tile_y - shape.reach + i / pitch;                                                         \
      tile[i] = x >= 0 && x < width && y >= 0 && y < height ? scaled[(wide)y * stride + x] : nowhere;             \
    }                                                                                                             \
    ORDER(TILE_WIDTH, TILE_HEIGHT, THREADS_OF_GROUP);                                                             \
    for (integer turn = 0; turn * (THREADS_OF_GROUP) < ordered; ++turn) {                                         \
      const integer place = place_in_turn(thread_x, turn, THREADS_OF_GROUP);                                      \
      if (place < ordered) {                                                                                      \
        TAKE_PIXEL(TILE_WIDTH, place);                                                                            \
        const SHARED_POINTER real* middle = tile + (y - tile_y + shape.reach) * pitch + x - tile_x + shape.reach; \
        for (integer n = -reach; n <= reach; ++n) {                                                               \
          const integer distance = n < 0 ? -n : n;                                                                \
          const integer extent = reach < discs[distance] ? reach : discs[distance];                               \
          const real plane = fused(gy, to_real(n), value);                                                        \
          SUM_ROW_OF_WINDOW(middle + n * pitch, extent, extent)                                                   \
          all_weights = fused(row_weights[distance], weights, all_weights);                                       \
          all_differences = fused(row_weights[distance], differences, all_differences);                           \
        }                                                                                                         \
        PUT_PIXEL();                                                                                              \
      }                                                                                                           \
    }                                                                                                             \
  }

FILTER_NEAR_KERNEL(filter_near, 32, 16, 256, PUT_TILE_IN_ORDER)

// Pixels of each level, the highest first, one place on: `counts` are MOST_LEVELS + 2 words, 0 at first.
// groups: ⌈width/32⌉·⌈height/8⌉.
KERNEL THREADS(256) void count_levels(const GLOBAL octet* levels, integer levels_stride, integer width, integer height,
                                      GLOBAL word* counts) {
  await_previous_kernel();
  SHARED word here[MOST_LEVELS + 2];
  if (thread_x < MOST_LEVELS + 2) here[thread_x] = 0;
  barrier_of_group();
  TILE_OF_GROUP(32, 8);
  const integer x = tile_x + thread_x % 32, y = tile_y + thread_x / 32;
  if (x < width && y < height) add_shared(here + MOST_LEVELS - levels[(wide)y * levels_stride + x] + 1, 1);
  barrier_of_group();
  if (thread_x < MOST_LEVELS + 2 && here[thread_x] > 0) add_global(counts + thread_x, here[thread_x]);
}

// Where each level's pixels begin in the list. groups: 1.
KERNEL THREADS(32) void begin_levels(GLOBAL word* counts) {
  await_previous_kernel();
  if (thread_x == 0) {
    for (integer i = 1; i < MOST_LEVELS + 2; ++i) counts[i] += counts[i - 1];
  }
}

// Lists the pixels, y·width + x, the highest level first; those of a group stay together. groups:
// ⌈width/32⌉·⌈height/8⌉.
KERNEL THREADS(256) void list_pixels(const GLOBAL octet* levels, integer levels_stride, integer width, integer height,
                                     GLOBAL word* begin, GLOBAL integer* list) {
  await_previous_kernel();
  SHARED word here[MOST_LEVELS + 1];
  SHARED word first[MOST_LEVELS + 1];
  if (thread_x < MOST_LEVELS + 1) here[thread_x] = 0;
  barrier_of_group();
  TILE_OF_GROUP(32, 8);
  const integer x = tile_x + thread_x % 32, y = tile_y + thread_x / 32;
  const truth inside = x < width && y < height;
  const integer place = inside ? MOST_LEVELS - levels[(wide)y * levels_stride + x] : 0;
  word rank = 0;
  if (inside) rank = add_shared(here + place, 1);
  barrier_of_group();
  if (thread_x < MOST_LEVELS + 1 && here[thread_x] > 0) first[thread_x] = add_global(begin + thread_x, here[thread_x]);
  barrier_of_group();
  if (inside) list[first[place] + rank] = y * width + x;
}

// No window reaches farther.
#define MOST_REACH 184

// The window of a pixel that was taken, from the image itself, its rows by SUM_ROW.
#define SUM_WINDOW_OF_IMAGE(SUM_ROW)                                                                       \
  {                                                                                                        \
    const integer first = reach < y ? -reach : -y, last = reach < height - y ? reach : height - 1 - y;     \
    for (integer n = first; n <= last; ++n) {                                                              \
      const integer distance = n < 0 ? -n : n;                                                             \
      const integer extent = reach < discs[distance] ? reach : discs[distance];                            \
      const integer before = extent < x ? extent : x, after = extent < width - x ? extent : width - 1 - x; \
      const real plane = fused(gy, to_real(n), value);                                                     \
      SUM_ROW(scaled + (wide)(y + n) * stride + x, before, after)                                          \
      all_weights = fused(row_weights[distance], weights, all_weights);                                    \
      all_differences = fused(row_weights[distance], differences, all_differences);                        \
    }                                                                                                      \
  }

// groups: ⌈width·height/128⌉.
KERNEL THREADS(128) void filter_far(FILTER_ARGUMENTS, const GLOBAL integer* order) {
  await_previous_kernel();
  TRILATERAL_TABLES(MOST_REACH);
  LOAD_TRILATERAL_TABLES(128)
  barrier_of_group();
  const integer place = group_x * 128 + thread_x, tile_x = 0, tile_y = 0;
  if (place >= width * height) return;
  TAKE_PIXEL(width, place);
  SUM_WINDOW_OF_IMAGE(SUM_ROW_BY_FOURS)
  PUT_PIXEL();
}
