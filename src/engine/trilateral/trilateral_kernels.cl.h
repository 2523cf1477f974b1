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
//                 the tile in local memory
//   count_levels, begin_levels, list_pixels   all pixels of the image in order of their levels,
//   list_rows     or where they are, to see what the order gains, for
//   filter_far    windows that are large: a thread each, the largest first, from the image itself. Neighbours read the
//                 same rows, and find them in the cache; groups that began with large windows make room for small ones

// The primitives must come before the code that uses them.
// clang-format off
#include "engine/maths/kernel_primitives.h"
#include "engine/scale_space/pixel_maths.h"
#include "engine/scale_space/grey.cl.h"
#include "engine/trilateral/trilateral_layout.h"
#include "engine/trilateral/trilateral_maths.h"
#include "engine/trilateral/contrast_maths.h"
// clang-format on

// Outside the image: its difference from any scaled grey value, squared, is infinite.
OCTAVO_CONSTANT float nowhere = 1e36f;

OCTAVO_CONSTANT uint bits_of_infinity = 0x7f800000;

OCTAVO_INLINE float sigma_r_in(const GLOBAL uint* range) {
  if (range[2] != 0) return uint_bits_to_float(range[3]);
  return sigma_r_of(uint_bits_to_float(bits_of_infinity - range[0]), uint_bits_to_float(range[1]));
}

// groups: ⌈width/row_threads⌉ × height.
KERNEL WORK_GROUP_SIZE(row_threads) void to_grey(const GLOBAL uchar* image, int64_t image_stride, int channels,
                                                 int red_at, int sample_bytes, float red, float green, float blue,
                                                 float single, int width, int height, GLOBAL float* out, int stride) {
  await_previous_kernel();
  const int x = group_id_x * row_threads + local_id_x, y = group_row;
  if (x >= width || y >= height) return;
  out[(int64_t)y * stride + x] =
      grey_of(image + (int64_t)y * image_stride, x, channels, red_at, sample_bytes, red, green, blue, single);
}

typedef struct Gradient {
  float x, y;
} Gradient;

// The gradient at a pixel of an image.
OCTAVO_INLINE Gradient gradient_at(const GLOBAL float* image, int stride, int x, int y, int width, int height) {
  const int64_t at = (int64_t)y * stride + x;
  const float here = image[at];
  Gradient g;
  g.x = x + 1 < width ? image[at + 1] - here : 0.0f;
  g.y = y + 1 < height ? image[at + stride] - here : 0.0f;
  return g;
}

// groups: ⌈width/row_threads⌉ × ⌈height/rows⌉.
KERNEL WORK_GROUP_SIZE(row_threads) void find_range(const GLOBAL float* grey, int64_t first, int stride, int width,
                                                    int height, int rows, GLOBAL uint* range) {
  await_previous_kernel();
  LOCAL uint least[row_threads];
  LOCAL uint largest[row_threads];
  const int x = group_id_x * row_threads + local_id_x;
  const int end = x >= width ? 0 : (group_row + 1) * rows < height ? (group_row + 1) * rows : height;
  uint below_infinity = 0, above_zero = 0;
  for (int y = group_row * rows; y < end; ++y) {
    const Gradient g = gradient_at(grey + first, stride, x, y, width, height);
    const uint bits = (uint)float_bits_to_int(magnitude(g.x, g.y));
    below_infinity = bits_of_infinity - bits > below_infinity ? bits_of_infinity - bits : below_infinity;
    above_zero = bits > above_zero ? bits : above_zero;
  }
  least[local_id_x] = below_infinity;
  largest[local_id_x] = above_zero;
  local_barrier();
  const int column = local_id_x % 16;
  for (int i = 1; i < 16; ++i) {
    const uint other_least = least[16 * i + column], other_largest = largest[16 * i + column];
    below_infinity = other_least > below_infinity ? other_least : below_infinity;
    above_zero = other_largest > above_zero ? other_largest : above_zero;
  }
  if (local_id_x < 16) {
    atomic_max_global(range, below_infinity);
    atomic_max_global(range + 1, above_zero);
  }
}

// Counts grey values; `bins` are 0 at first. groups: ⌈width/row_threads⌉ × ⌈height/rows⌉.
KERNEL WORK_GROUP_SIZE(row_threads) void count_greys(const GLOBAL float* grey, int64_t first, int stride, int width,
                                                     int height, int rows, GLOBAL uint* bins) {
  await_previous_kernel();
  LOCAL uint counts[contrast_bins];
  for (int i = local_id_x; i < contrast_bins; i += row_threads) counts[i] = 0;
  local_barrier();
  const int x = group_id_x * row_threads + local_id_x;
  const int end = x >= width ? 0 : (group_row + 1) * rows < height ? (group_row + 1) * rows : height;
  for (int y = group_row * rows; y < end; ++y)
    atomic_add_local(counts + contrast_bin(grey[first + (int64_t)y * stride + x]), 1);
  local_barrier();
  for (int i = local_id_x; i < contrast_bins; i += row_threads) {
    if (counts[i] > 0) atomic_add_global(bins + i, counts[i]);
  }
}

// The contrast of an image of `pixels` pixels, and the σ_r that follows from it. groups: 1.
KERNEL WORK_GROUP_SIZE(contrast_threads) void find_contrast(const GLOBAL uint* bins, int64_t pixels,
                                                            GLOBAL float* contrast, GLOBAL uint* range) {
  await_previous_kernel();
  LOCAL int64_t sums[contrast_threads];
  LOCAL uint below[2];
  const int share = contrast_bins / contrast_threads, begin = local_id_x * share;
  int64_t sum = 0;
  for (int i = begin; i < begin + share; ++i) sum += bins[i];
  sums[local_id_x] = sum;
  if (local_id_x < 2) below[local_id_x] = 0;
  local_barrier();
  int64_t counted = 0;
  for (int i = 0; i < local_id_x; ++i) counted += sums[i];
  uint below_first = 0, below_last = 0;
  for (int i = begin; i < begin + share; ++i) {
    counted += bins[i];
    below_first += is_below_first_percentile(counted, pixels) ? 1 : 0;
    below_last += is_below_last_percentile(counted, pixels) ? 1 : 0;
  }
  atomic_add_local(below, below_first);
  atomic_add_local(below + 1, below_last);
  local_barrier();
  const float found = contrast_between((int)below[0], (int)below[1]);
  const uint sigma_r = (uint)float_bits_to_int(contrast_fraction * found);
  if (local_id_x == 0) {
    contrast[0] = found;
    range[2] = 1;
    range[3] = sigma_r;
  }
}

// groups: ⌈width/row_threads⌉ × height.
KERNEL WORK_GROUP_SIZE(row_threads) void to_scaled(const GLOBAL float* grey, int64_t first, int stride, int width,
                                                   int height, const GLOBAL uint* range, GLOBAL float* scaled,
                                                   int scaled_stride) {
  await_previous_kernel();
  const int x = group_id_x * row_threads + local_id_x, y = group_row;
  const float scale = scale_of(sigma_r_in(range));
  if (x >= width || y >= height) return;
  scaled[(int64_t)y * scaled_stride + x] = grey[first + (int64_t)y * stride + x] * scale;
}

// The largest square around a pixel, at most 2·most + 1 pixels wide, of gradients alike. `here` is in a tile of rows of
// `side` sizes.
OCTAVO_INLINE int level_of(const LOCAL_PTR float* here, int side, int most) {
  const float high = here[0] + scaled_sigma_r, low = here[0] - scaled_sigma_r;
  int level = 0;
  bool alike = true;
  while (alike && level < most) {
    const int k = level + 1;
    for (int j = -k; j <= k; ++j) {
      const float a = here[j - k * side], b = here[j + k * side], c = here[j * side - k], d = here[j * side + k];
      alike = alike && !(a > high || a < low || b > high || b < low || c > high || c < low || d > high || d < low);
    }
    if (alike) level = k;
  }
  return level;
}

// groups: ⌈width/levels_side⌉ × ⌈height/levels_side⌉.
KERNEL WORK_GROUP_SIZE(levels_threads) void find_levels(const GLOBAL float* scaled, int stride, int width, int height,
                                                        const TrilateralShape shape, const GLOBAL uint* range,
                                                        GLOBAL uchar* levels, int levels_stride) {
  await_previous_kernel();
  LOCAL float sizes[(levels_side + 2 * most_levels) * (levels_side + 2 * most_levels)];
  const int most = shape.most_levels, side = levels_side + 2 * most;
  const int tile_x = group_id_x * levels_side, tile_y = group_row * levels_side;
  const int left = tile_x - most, top = tile_y - most;
  const float nothing = int_bits_to_float(0x7fc00000);  // neither above nor below any other
  for (int i = local_id_x; i < side * side; i += levels_threads) {
    const int y = top + i / side, x = left + i % side;
    float size = nothing;
    if (x >= 0 && x < width && y >= 0 && y < height) {
      const Gradient g = gradient_at(scaled, stride, x, y, width, height);
      size = magnitude(g.x, g.y);
    }
    sizes[i] = size;
  }
  local_barrier();
  const bool is_scaled = scale_of(sigma_r_in(range)) > 0;
  for (int i = local_id_x; i < levels_side * levels_side; i += levels_threads) {
    const int x = i % levels_side, y = i / levels_side;
    const LOCAL_PTR float* here = sizes + (y + most) * side + x + most;
    const int level = is_scaled ? level_of(here, side, most) : 0;
    const int column = tile_x + x, row = tile_y + y;
    if (column < width && row < height) levels[(int64_t)row * levels_stride + column] = (uchar)level;
  }
}

// Size of a tile of smooth, including the farthest pixels around it.
enum { smooth_pixels = (smooth_columns + 2 * most_smoothing) * (smooth_rows + 2 * most_smoothing) };

// groups: ⌈width/smooth_columns⌉ × ⌈height/smooth_rows⌉.
KERNEL WORK_GROUP_SIZE(smooth_threads) void smooth(const GLOBAL float* scaled, int stride, int width, int height,
                                                   const TrilateralShape shape, const GLOBAL float* exponent,
                                                   const GLOBAL float* row_weight, GLOBAL float* out_x,
                                                   GLOBAL float* out_y) {
  await_previous_kernel();
  LOCAL float sizes[smooth_pixels];
  LOCAL float xs[smooth_pixels];
  LOCAL float ys[smooth_pixels];
  const int reach = shape.smoothing, side = smooth_columns + 2 * reach, rows = smooth_rows + 2 * reach;
  const int tile_x = group_id_x * smooth_columns, tile_y = group_row * smooth_rows;
  const int left = tile_x - reach, top = tile_y - reach;
  for (int i = local_id_x; i < side * rows; i += smooth_threads) {
    const int y = top + i / side, x = left + i % side;
    Gradient g;
    g.x = g.y = 0;
    float size = nowhere;
    if (x >= 0 && x < width && y >= 0 && y < height) {
      g = gradient_at(scaled, stride, x, y, width, height);
      size = magnitude(g.x, g.y);
    }
    sizes[i] = size;
    xs[i] = g.x;
    ys[i] = g.y;
  }
  local_barrier();
  const int middle = (local_id_x / smooth_columns + reach) * side + local_id_x % smooth_columns + reach;
  const float size = sizes[middle];
  float weights = 0, sum_x = 0, sum_y = 0;
  for (int n = -reach; n <= reach; ++n) {
    float row_weights = 0, row_x = 0, row_y = 0;
    for (int m = -reach; m <= reach; ++m) {
      const int at = middle + n * side + m;
      const float difference = sizes[at] - size;
      const float w = two_to_minus(fma(difference, difference, exponent[m < 0 ? -m : m]));
      row_weights = row_weights + w;
      row_x = fma(xs[at], w, row_x);
      row_y = fma(ys[at], w, row_y);
    }
    const float weight = row_weight[n < 0 ? -n : n];
    weights = fma(weight, row_weights, weights);
    sum_x = fma(weight, row_x, sum_x);
    sum_y = fma(weight, row_y, sum_y);
  }
  const int x = tile_x + local_id_x % smooth_columns, y = tile_y + local_id_x / smooth_columns;
  if (x < width && y < height) {
    out_x[(int64_t)y * stride + x] = sum_x / weights;
    out_y[(int64_t)y * stride + x] = sum_y / weights;
  }
}

#include "engine/trilateral/trilateral_window.cl.h"

// groups: ⌈width/near_columns⌉ × ⌈height/near_rows⌉.
KERNEL WORK_GROUP_SIZE(near_threads) void filter_near(FILTER_PARAMETERS) {
  await_previous_kernel();
  LOCAL float exponents[2 * near_reach + 1];
  LOCAL float row_weights[near_reach + 1];
  LOCAL int discs[near_reach + 1];
  LOCAL float pixels[(near_columns + 2 * near_reach) * (near_rows + 2 * near_reach)];
  LOCAL int order[near_columns * near_rows];
  LOCAL uint places[level_counts];
  const FilterImages images = FILTER_IMAGES;
  const Tile tile = tile_of_group(near_columns, near_rows, near_threads);
  const WindowTables tables = load_tables(exponents, row_weights, discs, shape.reach, exponent, row_weight, disc, tile);
  load_tile(images, tile, pixels);
  const int ordered = order_tile(images, tile, places, order);
  filter_tile_near(images, tables, tile, pixels, order, ordered);
}

// The number of pixels of each level, the highest first, from the second word on: `counts` are most_levels + 2 words,
// initially 0. groups: ⌈width/order_columns⌉ × ⌈height/order_rows⌉.
KERNEL WORK_GROUP_SIZE(order_threads) void count_levels(const GLOBAL uchar* levels, int levels_stride, int width,
                                                        int height, GLOBAL uint* counts) {
  await_previous_kernel();
  LOCAL uint here[level_counts];
  if (local_id_x < level_counts) here[local_id_x] = 0;
  local_barrier();
  const int tile_x = group_id_x * order_columns, tile_y = group_row * order_rows;
  const int x = tile_x + local_id_x % order_columns, y = tile_y + local_id_x / order_columns;
  if (x < width && y < height) atomic_add_local(here + most_levels - levels[(int64_t)y * levels_stride + x] + 1, 1);
  local_barrier();
  if (local_id_x < level_counts && here[local_id_x] > 0) atomic_add_global(counts + local_id_x, here[local_id_x]);
}

// The index at which each level's pixels begin in the list. groups: 1.
KERNEL WORK_GROUP_SIZE(begin_threads) void begin_levels(GLOBAL uint* counts) {
  await_previous_kernel();
  if (local_id_x == 0) {
    for (int i = 1; i < level_counts; ++i) counts[i] += counts[i - 1];
  }
}

// Lists the pixels, y·width + x, the highest level first; those of a group stay together. groups:
// ⌈width/order_columns⌉ × ⌈height/order_rows⌉.
KERNEL WORK_GROUP_SIZE(order_threads) void list_pixels(const GLOBAL uchar* levels, int levels_stride, int width,
                                                       int height, GLOBAL uint* begin, GLOBAL int* list) {
  await_previous_kernel();
  LOCAL uint here[most_levels + 1];
  LOCAL uint first[most_levels + 1];
  if (local_id_x < most_levels + 1) here[local_id_x] = 0;
  local_barrier();
  const int tile_x = group_id_x * order_columns, tile_y = group_row * order_rows;
  const int x = tile_x + local_id_x % order_columns, y = tile_y + local_id_x / order_columns;
  const bool inside = x < width && y < height;
  const int place = inside ? most_levels - levels[(int64_t)y * levels_stride + x] : 0;
  uint rank = 0;
  if (inside) rank = atomic_add_local(here + place, 1);
  local_barrier();
  if (local_id_x < most_levels + 1 && here[local_id_x] > 0)
    first[local_id_x] = atomic_add_global(begin + local_id_x, here[local_id_x]);
  local_barrier();
  if (inside) list[first[place] + rank] = y * width + x;
}

// Lists the pixels where they are, row by row. groups: ⌈width·height/far_threads⌉.
KERNEL WORK_GROUP_SIZE(far_threads) void list_rows(int width, int height, GLOBAL int* list) {
  await_previous_kernel();
  const int place = group_id_x * far_threads + local_id_x;
  if (place < width * height) list[place] = place;
}

// groups: ⌈width·height/far_threads⌉.
KERNEL WORK_GROUP_SIZE(far_threads) void filter_far(FILTER_PARAMETERS, const GLOBAL int* order) {
  await_previous_kernel();
  LOCAL float exponents[2 * most_reach + 1];
  LOCAL float row_weights[most_reach + 1];
  LOCAL int discs[most_reach + 1];
  const FilterImages images = FILTER_IMAGES;
  Tile all;
  all.x = all.y = 0;
  all.width = width;
  all.height = height;
  all.threads = far_threads;
  const WindowTables tables = load_tables(exponents, row_weights, discs, shape.reach, exponent, row_weight, disc, all);
  local_barrier();
  const int place = group_id_x * far_threads + local_id_x;
  if (place >= width * height) return;
  const WindowPixel pixel = pixel_of_tile(images, all, order[place]);
  const int first = pixel.reach < pixel.y ? -pixel.reach : -pixel.y;
  const int last = pixel.reach < height - pixel.y ? pixel.reach : height - 1 - pixel.y;
  TapSums sums = no_taps();
  for (int n = first; n <= last; ++n) {
    const WindowRow row = row_of_image(images, tables, pixel, n);
    add_row(&sums, sum_row_by_fours(tables, row, scaled + (int64_t)(pixel.y + n) * stride + pixel.x),
            tables.row_weights[n < 0 ? -n : n]);
  }
  put_pixel(images, pixel, sums);
}
