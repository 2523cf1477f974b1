// The Gaussian pyramid on a GPU: grey, doubling, separable blurs (scale_space_reference.h says what they compute).
// Radii that the default options need are blur_tile.cl.h's; any other goes through a tile of 128×16 pixels with loops.

// The words come before what is written in them.
// clang-format off
#include "maths/kernel_words.h"
#include "maths/functions.h"
#include "scale_space/pixel_maths.h"
#include "scale_space/pyramid_layout.h"
#include "scale_space/blur_tile.cl.h"
#include "scale_space/grey.cl.h"
// clang-format on

// The image in grey, four pixels a thread. groups: ⌈width/1024⌉ × height. Rows of `out` have room for whole fours.
KERNEL THREADS(256) void grey(const GLOBAL octet* image, wide image_stride, integer channels, integer sample_bytes,
                              real red, real green, real blue, real single, GLOBAL real* out, integer width,
                              integer out_stride) {
  await_previous_kernel();
  const integer x = (group_x * 256 + thread_x) * 4;
  if (x >= width) return;
  const GLOBAL octet* row = image + (wide)group_y * image_stride;
  real value[4];
#pragma unroll
  for (integer i = 0; i < 4; ++i) {
    const integer column = x + i < width ? x + i : width - 1;
    value[i] = grey_of(row, column, channels, sample_bytes, red, green, blue, single);
  }
  store4_global(out + (wide)group_y * out_stride + x, four_of(value[0], value[1], value[2], value[3]));
}

// Every second pixel of an image, from the first, as another in the same buffer. groups: ⌈width/256⌉ × height of it.
KERNEL THREADS(256) void halve(GLOBAL real* levels, wide from, integer from_stride, wide to, integer to_stride,
                               integer width) {
  await_previous_kernel();
  const integer x = group_x * 256 + thread_x;
  if (x >= width) return;
  levels[to + (wide)group_y * to_stride + x] = levels[from + (wide)group_y * 2 * from_stride + 2 * x];
}

// For any radius: the tile, the margin and the rows of sums.
#define ANY_COLUMNS 128
#define ANY_ROWS 16
#define ANY_MARGIN 112
#define ANY_PITCH (ANY_COLUMNS + 2 * ANY_MARGIN)

OCTAVO_INLINE void blur_any_along_columns(const Blur b, const TapsOfKernel taps, truth doubled,
                                          SHARED_POINTER real* sums) {
  for (integer item = thread_x; item < ANY_PITCH * ANY_ROWS; item += 256) {
    const integer row = item / ANY_PITCH, column = item - row * ANY_PITCH;
    const integer x = mirrored(group_x * ANY_COLUMNS - ANY_MARGIN + column, b.width), y = group_y * ANY_ROWS + row;
    real sum = taps.weight[0] * pixel_to_blur(b, x, mirrored(y, b.height), false, doubled);
    for (integer k = 1; k <= taps.radius; ++k) {
      sum = fused(taps.weight[k],
                  pixel_to_blur(b, x, mirrored(y - k, b.height), false, doubled) +
                      pixel_to_blur(b, x, mirrored(y + k, b.height), false, doubled),
                  sum);
    }
    sums[item] = sum;
  }
}

OCTAVO_INLINE void blur_any_along_rows(const Blur b, const TapsOfKernel taps, const SHARED_POINTER real* sums) {
  for (integer item = thread_x; item < ANY_ROWS * ANY_COLUMNS; item += 256) {
    const integer row = item / ANY_COLUMNS, column = item - row * ANY_COLUMNS;
    const integer x = group_x * ANY_COLUMNS + column, y = group_y * ANY_ROWS + row;
    if (x >= b.width || y >= b.height) continue;
    const SHARED_POINTER real* in = sums + row * ANY_PITCH + ANY_MARGIN + column;
    real sum = taps.weight[0] * in[0];
    for (integer k = 1; k <= taps.radius; ++k) sum = fused(taps.weight[k], in[-k] + in[k], sum);
    b.out[(wide)y * b.stride + x] = sum;
    if (b.half_stride > 0 && ((x | y) & 1) == 0 && (y >> 1) < b.height / 2 && (x >> 1) < b.width / 2) {
      b.halved[(wide)(y >> 1) * b.half_stride + (x >> 1)] = sum;
    }
  }
}

OCTAVO_INLINE Blur blur_of(const GLOBAL real* in, integer in_stride, GLOBAL real* out, integer stride, integer width,
                           integer height, GLOBAL real* halved, integer half_stride) {
  Blur b;
  b.in = in;
  b.bytes = (const GLOBAL octet*)in;
  b.of_byte = 0;
  b.in_stride = in_stride;
  b.out = out;
  b.stride = stride;
  b.width = width;
  b.height = height;
  b.halved = halved;
  b.half_stride = half_stride;
  return b;
}

// One blur. groups: ⌈width/columns of a tile⌉ × ⌈height/rows of a tile⌉. Offsets [float] are those of the planes in
// `in` and `pyramid`; sizes are those of the result, of which `in` has half if it is doubled. Where `upwards` is 1 the
// rows of tiles begin at the bottom: what the blur before wrote last is still in the cache. A byte is worth `of_byte`.
#define BLUR_KERNEL(NAME, GROUPS, RADIUS, ROWS, BYTES, DOUBLED)                                                      \
  KERNEL THREADS_AND_GROUPS(256, GROUPS) void NAME(                                                                  \
      const GLOBAL real* in, wide in_first, integer in_stride, GLOBAL real* pyramid, wide out_first, integer stride, \
      integer width, integer height, wide half_first, integer half_stride, integer upwards, real of_byte,            \
      const FewTaps taps) {                                                                                          \
    await_previous_kernel();                                                                                         \
    SHARED real4 sums[ROWS * blur_pitch / 4];                                                                        \
    Blur b = blur_of(in + in_first, in_stride, pyramid + out_first, stride, width, height, pyramid + half_first,     \
                     half_stride);                                                                                   \
    b.of_byte = of_byte;                                                                                             \
    const integer tile_y = upwards != 0 ? groups_y - 1 - group_y : group_y;                                          \
    blur_along_columns(b, taps, RADIUS, ROWS, BYTES, DOUBLED, group_x, tile_y, (SHARED_POINTER real*)sums);          \
    barrier_of_group();                                                                                              \
    blur_along_rows(b, taps, RADIUS, ROWS, group_x, tile_y, (const SHARED_POINTER real*)sums);                       \
  }

// How many groups the registers have room for: more than that would spill.
#define BLUR_KERNELS(RADIUS, TALL, MIDDLE, FLAT)                               \
  BLUR_KERNEL(blur_tall_##RADIUS, TALL, RADIUS, tall_rows, false, false)       \
  BLUR_KERNEL(blur_middle_##RADIUS, MIDDLE, RADIUS, middle_rows, false, false) \
  BLUR_KERNEL(blur_flat_##RADIUS, FLAT, RADIUS, flat_rows, false, false)

BLUR_KERNELS(5, 4, 6, 8)
BLUR_KERNELS(7, 4, 5, 6)
BLUR_KERNELS(8, 4, 5, 6)
BLUR_KERNELS(10, 4, 4, 5)
BLUR_KERNELS(13, 3, 4, 5)
BLUR_KERNEL(blur_bytes_7, 5, 7, middle_rows, true, false)
BLUR_KERNEL(blur_doubled_5, 5, 5, middle_rows, false, true)
BLUR_KERNEL(blur_doubled_bytes_5, 5, 5, middle_rows, true, true)

#define BLUR_ANY_KERNEL(NAME, DOUBLED)                                                                                 \
  KERNEL THREADS(256) void NAME(const GLOBAL real* in, wide in_first, integer in_stride, GLOBAL real* pyramid,         \
                                wide out_first, integer stride, integer width, integer height, wide half_first,        \
                                integer half_stride, const TapsOfKernel taps) {                                        \
    await_previous_kernel();                                                                                           \
    SHARED real sums[ANY_ROWS * ANY_PITCH];                                                                            \
    const Blur b = blur_of(in + in_first, in_stride, pyramid + out_first, stride, width, height, pyramid + half_first, \
                           half_stride);                                                                               \
    blur_any_along_columns(b, taps, DOUBLED, sums);                                                                    \
    barrier_of_group();                                                                                                \
    blur_any_along_rows(b, taps, sums);                                                                                \
  }

BLUR_ANY_KERNEL(blur_any, false)
BLUR_ANY_KERNEL(blur_doubled_any, true)
