// The Gaussian pyramid on a GPU: grey, doubling, separable blurs (scale_space_reference.h says what they compute).
// Radii that most options need are blur_tile.cl.h's, for mirrored edges; all else goes through a tile of 128×16 pixels
// with loops.

// The primitives must come before the code that uses them.
// clang-format off
#include "engine/maths/kernel_primitives.h"
#include "engine/maths/functions.h"
#include "engine/scale_space/pixel_maths.h"
#include "engine/scale_space/pyramid_layout.h"
#include "engine/scale_space/mirrored.cl.h"
#include "engine/scale_space/blur_tile.cl.h"
#include "engine/scale_space/octave_tile.cl.h"
#include "engine/scale_space/grey.cl.h"
// clang-format on

// The image in grey, four pixels per thread. groups: ⌈width/grey_columns⌉ × height. Rows of `out` have room for whole
// groups of four.
KERNEL WORK_GROUP_SIZE(grey_threads) void grey(const GLOBAL uchar* image, int64_t image_stride, int channels,
                                               int red_at, int sample_bytes, float red, float green, float blue,
                                               float single, GLOBAL float* out, int width, int height, int out_stride) {
  await_previous_kernel();
  const int x = (group_id_x * grey_threads + local_id_x) * 4;
  if (x >= width || group_row >= height) return;
  const GLOBAL uchar* row = image + (int64_t)group_row * image_stride;
  float value[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int column = x + i < width ? x + i : width - 1;
    value[i] = grey_of(row, column, channels, red_at, sample_bytes, red, green, blue, single);
  }
  store4_global(out + (int64_t)group_row * out_stride + x, make_float4(value[0], value[1], value[2], value[3]));
}

// Copies every second pixel of an image, beginning with the first, to another image in the same buffer. groups:
// ⌈width/halve_threads⌉ × height of the copy.
KERNEL WORK_GROUP_SIZE(halve_threads) void halve(GLOBAL float* levels, int64_t from, int from_stride, int64_t to,
                                                 int to_stride, int width, int height) {
  await_previous_kernel();
  const int x = group_id_x * halve_threads + local_id_x;
  if (x >= width || group_row >= height) return;
  levels[to + (int64_t)group_row * to_stride + x] = levels[from + (int64_t)group_row * 2 * from_stride + 2 * x];
}

// The differences of neighbouring images of an octave, four pixels per thread: image i + 1 less image i. Each image is
// read once. groups: ⌈width/difference_columns⌉ × height. The images of the octave and its differences lie level_floats
// apart.
KERNEL WORK_GROUP_SIZE(difference_threads) void differences(const GLOBAL float* levels, int64_t first,
                                                            GLOBAL float* out, int64_t out_first, int count,
                                                            int64_t level_floats, int stride, int width, int height) {
  await_previous_kernel();
  const int x = (group_id_x * difference_threads + local_id_x) * 4;
  if (x >= width || group_row >= height) return;
  const int64_t at = (int64_t)group_row * stride + x;
  const GLOBAL float* in = levels + first + at;
  GLOBAL float* to = out + out_first + at;
  float4 before = load4_global(in);
  for (int i = 0; i < count; ++i) {
    in += level_floats;
    const float4 after = load4_global(in);
    store4_global(to, make_float4(after.x - before.x, after.y - before.y, after.z - before.z, after.w - before.w));
    to += level_floats;
    before = after;
  }
}

// For any radius and edge: floats from row to row of sums.
enum { any_pitch = any_columns + 2 * any_margin };

OCTAVO_INLINE void blur_any_along_columns(const Blur b, const TapsOfKernel taps, bool doubled, LOCAL_PTR float* sums) {
  for (int item = local_id_x; item < any_pitch * any_rows; item += blur_threads) {
    const int row = item / any_pitch, column = item - row * any_pitch;
    const int x = pixel_read_at(group_id_x * any_columns - any_margin + column, b.width, taps.repeats),
              y = group_row * any_rows + row;
    float sum = taps.weight[0] * pixel_to_blur(b, x, pixel_read_at(y, b.height, taps.repeats), false, doubled);
    for (int k = 1; k <= taps.radius; ++k) {
      sum = fma(taps.weight[k],
                pixel_to_blur(b, x, pixel_read_at(y - k, b.height, taps.repeats), false, doubled) +
                    pixel_to_blur(b, x, pixel_read_at(y + k, b.height, taps.repeats), false, doubled),
                sum);
    }
    sums[item] = sum;
  }
}

OCTAVO_INLINE void blur_any_along_rows(const Blur b, const TapsOfKernel taps, const LOCAL_PTR float* sums) {
  for (int item = local_id_x; item < any_rows * any_columns; item += blur_threads) {
    const int row = item / any_columns, column = item - row * any_columns;
    const int x = group_id_x * any_columns + column, y = group_row * any_rows + row;
    if (x >= b.width || y >= b.height) continue;
    const LOCAL_PTR float* in = sums + row * any_pitch + any_margin + column;
    float sum = taps.weight[0] * in[0];
    for (int k = 1; k <= taps.radius; ++k) sum = fma(taps.weight[k], in[-k] + in[k], sum);
    b.out[(int64_t)y * b.stride + x] = sum;
    if (b.half_stride > 0 && ((x | y) & 1) == 0 && (y >> 1) < b.height / 2 && (x >> 1) < b.width / 2) {
      b.halved[(int64_t)(y >> 1) * b.half_stride + (x >> 1)] = sum;
    }
  }
}

OCTAVO_INLINE Blur blur_of(const GLOBAL float* in, int in_stride, GLOBAL float* out, int stride, int width, int height,
                           GLOBAL float* halved, int half_stride) {
  Blur b;
  b.in = in;
  b.bytes = (const GLOBAL uchar*)in;
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

// The first row of a row of tiles. The first `whole` of them have `rows` rows, the rest flat_rows.
OCTAVO_INLINE int row_of_tiles(int tiles, int whole, int rows, int upwards) {
  const int rest = tiles > whole ? tiles - whole : 0, end = (tiles - rest) * rows + rest * flat_rows;
  const int small = group_row > whole ? group_row - whole : 0, begin = (group_row - small) * rows + small * flat_rows;
  return upwards != 0 ? end - begin - (group_row < whole ? rows : flat_rows) : begin;
}

// One blur. groups: ⌈width/columns of a tile⌉ × rows of tiles, of which the first `whole` have all their rows. Offsets
// [float] are those of the planes in `in` and `pyramid`. Sizes are those of the result; those of `in` are half of it if
// it is doubled. If `upwards` is 1, the rows of tiles begin at the bottom: the last output of the blur before is still
// in the cache. `of_byte` is the factor of a byte. A tile below the image writes nothing.
#define BLUR_KERNEL(NAME, GROUPS, RADIUS, ROWS, BYTES, DOUBLED)                                                     \
  KERNEL LAUNCH_BOUNDS(blur_threads, GROUPS) void NAME(const GLOBAL float* in, int64_t in_first, int in_stride,     \
                                                       GLOBAL float* pyramid, int64_t out_first, int stride,        \
                                                       int width, int height, int64_t half_first, int half_stride,  \
                                                       int whole, int upwards, float of_byte, const FewTaps taps) { \
    await_previous_kernel();                                                                                        \
    LOCAL float4 sums[ROWS * blur_pitch / 4];                                                                       \
    Blur b = blur_of(in + in_first, in_stride, pyramid + out_first, stride, width, height, pyramid + half_first,    \
                     half_stride);                                                                                  \
    b.of_byte = of_byte;                                                                                            \
    const int y0 = row_of_tiles(num_group_rows, whole, ROWS, upwards);                                              \
    const bool is_whole = ROWS == flat_rows || group_row < whole;                                                   \
    if (is_whole) {                                                                                                 \
      blur_along_columns(b, taps, RADIUS, ROWS, BYTES, DOUBLED, group_id_x, y0, (LOCAL_PTR float*)sums);            \
    } else {                                                                                                        \
      blur_along_columns(b, taps, RADIUS, flat_rows, BYTES, DOUBLED, group_id_x, y0, (LOCAL_PTR float*)sums);       \
    }                                                                                                               \
    local_barrier();                                                                                                \
    if (is_whole) {                                                                                                 \
      blur_along_rows(b, taps, RADIUS, ROWS, group_id_x, y0, (const LOCAL_PTR float*)sums);                         \
    } else {                                                                                                        \
      blur_along_rows(b, taps, RADIUS, flat_rows, group_id_x, y0, (const LOCAL_PTR float*)sums);                    \
    }                                                                                                               \
  }

#define BLUR_KERNELS(RADIUS, TALL, MIDDLE, FLAT)                               \
  BLUR_KERNEL(blur_tall_##RADIUS, TALL, RADIUS, tall_rows, false, false)       \
  BLUR_KERNEL(blur_middle_##RADIUS, MIDDLE, RADIUS, middle_rows, false, false) \
  BLUR_KERNEL(blur_flat_##RADIUS, FLAT, RADIUS, flat_rows, false, false)

OCTAVO_BLUR_RADII(BLUR_KERNELS)

#define BLUR_BYTES_KERNEL(RADIUS) BLUR_KERNEL(blur_bytes_##RADIUS, first_blur_groups, RADIUS, middle_rows, true, false)
#define BLUR_DOUBLED_KERNELS(RADIUS)                                                      \
  BLUR_KERNEL(blur_doubled_##RADIUS, first_blur_groups, RADIUS, middle_rows, false, true) \
  BLUR_KERNEL(blur_doubled_bytes_##RADIUS, first_blur_groups, RADIUS, middle_rows, true, true)

OCTAVO_BYTES_BLUR_RADII(BLUR_BYTES_KERNEL)
OCTAVO_DOUBLED_BLUR_RADII(BLUR_DOUBLED_KERNELS)

#define BLUR_ANY_KERNEL(NAME, DOUBLED)                                                                                 \
  KERNEL WORK_GROUP_SIZE(blur_threads) void NAME(                                                                      \
      const GLOBAL float* in, int64_t in_first, int in_stride, GLOBAL float* pyramid, int64_t out_first, int stride,   \
      int width, int height, int64_t half_first, int half_stride, const TapsOfKernel taps) {                           \
    await_previous_kernel();                                                                                           \
    LOCAL float sums[any_rows * any_pitch];                                                                            \
    const Blur b = blur_of(in + in_first, in_stride, pyramid + out_first, stride, width, height, pyramid + half_first, \
                           half_stride);                                                                               \
    blur_any_along_columns(b, taps, DOUBLED, sums);                                                                    \
    local_barrier();                                                                                                   \
    blur_any_along_rows(b, taps, sums);                                                                                \
  }

BLUR_ANY_KERNEL(blur_any, false)
BLUR_ANY_KERNEL(blur_doubled_any, true)

OCTAVO_BLUR_CHAINS(CHAIN_KERNEL)
