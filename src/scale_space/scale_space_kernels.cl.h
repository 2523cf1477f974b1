// The Gaussian pyramid on a GPU: grey, doubling, separable blurs (scale_space_reference.h says what they compute).
//
// A work-group blurs a tile of 128×16 pixels. Its threads first filter along columns, eight rows to a thread, straight
// from global memory, and leave the results, with the neighbours to either side that the rows need, in shared memory;
// then along rows, four pixels to a thread. The image between the two passes never exists. Radii that the default
// options need are compiled as constants, so that a thread's window stays in registers; any other radius goes through
// the same tile with loops.

// The words come before what is written in them.
// clang-format off
#include "maths/kernel_words.h"
#include "maths/functions.h"
#include "scale_space/pixel_maths.h"
#include "scale_space/pyramid_layout.h"
// clang-format on

#define TILE_WIDTH 128
#define TILE_HEIGHT 16
#define GROUP_THREADS 256
#define ROWS_AT_ONCE 8

OCTAVO_INLINE integer mirrored(integer i, integer n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

// One sample of 8, 16 or 32 bits, as a float, exactly. Rows need not be aligned.
OCTAVO_INLINE real sample_of(const GLOBAL octet* row, wide index, integer bytes) {
  const GLOBAL octet* p = row + index * bytes;
  if (bytes == 1) return to_real(p[0]);
  if (bytes == 2) return to_real(p[0] | p[1] << 8);
  return bits_to_real((word)p[0] | (word)p[1] << 8 | (word)p[2] << 16 | (word)p[3] << 24);
}

// The image in grey. groups: ⌈width/256⌉ × height.
KERNEL THREADS(256) void grey(const GLOBAL octet* image, wide image_stride, integer channels, integer sample_bytes,
                              real red, real green, real blue, real single, GLOBAL real* out, integer width,
                              integer out_stride) {
  const integer x = group_x * 256 + thread_x;
  if (x >= width) return;
  const GLOBAL octet* row = image + (wide)group_y * image_stride;
  real value;
  if (channels < 3) {
    value = sample_of(row, (wide)x * channels, sample_bytes) * single;
  } else {
    const wide i = (wide)x * channels;
    value = luma_of(sample_of(row, i, sample_bytes), sample_of(row, i + 1, sample_bytes),
                    sample_of(row, i + 2, sample_bytes), red, green, blue);
  }
  out[(wide)group_y * out_stride + x] = value;
}

// A pixel of the plane to be filtered: as it is, or of the plane doubled.
OCTAVO_INLINE real plane_pixel(const GLOBAL real* in, integer stride, integer width, integer height, integer x,
                               integer y, truth doubled) {
  if (!doubled) return in[(wide)y * stride + x];
  const integer last_x = width / 2 - 1, last_y = height / 2 - 1;
  const integer left = x >> 1, right = left < last_x ? left + 1 : last_x;
  const GLOBAL real* row = in + (wide)(y >> 1) * stride;
  const real above = (x & 1) != 0 ? halfway(row[left], row[right]) : row[left];
  if ((y & 1) == 0) return above;
  if ((y >> 1) < last_y) row += stride;
  const real below = (x & 1) != 0 ? halfway(row[left], row[right]) : row[left];
  return halfway(above, below);
}

// Along columns, into shared memory: PITCH = TILE_WIDTH + 2·margin sums in each of TILE_HEIGHT rows.
OCTAVO_INLINE void filter_columns(const GLOBAL real* in, integer in_stride, integer width, integer height,
                                  const TapsOfKernel taps, integer radius, integer margin, truth fixed, truth doubled,
                                  SHARED_POINTER real* sums) {
  const integer pitch = TILE_WIDTH + 2 * margin;
  const integer x0 = group_x * TILE_WIDTH - margin, y0 = group_y * TILE_HEIGHT;
  for (integer item = thread_x; item < pitch * (TILE_HEIGHT / ROWS_AT_ONCE); item += GROUP_THREADS) {
    const integer band = item / pitch, column = item - band * pitch;
    const integer x = mirrored(x0 + column, width), y = y0 + band * ROWS_AT_ONCE;
    SHARED_POINTER real* out = sums + band * ROWS_AT_ONCE * pitch + column;
    if (fixed) {
      real window[ROWS_AT_ONCE + 2 * 13];
      if (!doubled && y >= radius && y + ROWS_AT_ONCE + radius <= height) {
        const GLOBAL real* pixel = in + (wide)(y - radius) * in_stride + x;
#pragma unroll
        for (integer i = 0; i < ROWS_AT_ONCE + 2 * radius; ++i) {
          window[i] = pixel[0];
          pixel += in_stride;
        }
      } else {
#pragma unroll
        for (integer i = 0; i < ROWS_AT_ONCE + 2 * radius; ++i) {
          window[i] = plane_pixel(in, in_stride, width, height, x, mirrored(y - radius + i, height), doubled);
        }
      }
#pragma unroll
      for (integer j = 0; j < ROWS_AT_ONCE; ++j) {
        real sum = taps.weight[0] * window[j + radius];
#pragma unroll
        for (integer k = 1; k <= radius; ++k) {
          sum = fused(taps.weight[k], window[j + radius - k] + window[j + radius + k], sum);
        }
        out[j * pitch] = sum;
      }
    } else {
      for (integer j = 0; j < ROWS_AT_ONCE; ++j) {
        real sum = taps.weight[0] * plane_pixel(in, in_stride, width, height, x, mirrored(y + j, height), doubled);
        for (integer k = 1; k <= radius; ++k) {
          sum = fused(taps.weight[k],
                      plane_pixel(in, in_stride, width, height, x, mirrored(y + j - k, height), doubled) +
                          plane_pixel(in, in_stride, width, height, x, mirrored(y + j + k, height), doubled),
                      sum);
        }
        out[j * pitch] = sum;
      }
    }
  }
}

// Along rows, four pixels at a time; every second pixel of every second row also goes to `halved`, if half_stride > 0.
OCTAVO_INLINE void filter_rows(const SHARED_POINTER real* sums, const TapsOfKernel taps, integer radius, integer margin,
                               truth fixed, GLOBAL real* out, integer width, integer height, integer stride,
                               GLOBAL real* halved, integer half_stride) {
  const integer pitch = TILE_WIDTH + 2 * margin;
  for (integer item = thread_x; item < TILE_HEIGHT * TILE_WIDTH / 4; item += GROUP_THREADS) {
    const integer row = item / (TILE_WIDTH / 4), quad = item - row * (TILE_WIDTH / 4);
    const integer x = group_x * TILE_WIDTH + 4 * quad, y = group_y * TILE_HEIGHT + row;
    if (x >= width || y >= height) continue;
    const SHARED_POINTER real* in = sums + row * pitch + 4 * quad;
    real result[4];
    if (fixed) {
      real window[4 + 2 * 16];
#pragma unroll
      for (integer i = 0; i < 4 + 2 * margin; i += 4) {
        const real4 four = load4_shared(in + i);
        window[i] = four.x;
        window[i + 1] = four.y;
        window[i + 2] = four.z;
        window[i + 3] = four.w;
      }
#pragma unroll
      for (integer j = 0; j < 4; ++j) {
        real sum = taps.weight[0] * window[j + margin];
#pragma unroll
        for (integer k = 1; k <= radius; ++k) {
          sum = fused(taps.weight[k], window[j + margin - k] + window[j + margin + k], sum);
        }
        result[j] = sum;
      }
    } else {
      for (integer j = 0; j < 4; ++j) {
        real sum = taps.weight[0] * in[j + margin];
        for (integer k = 1; k <= radius; ++k) {
          sum = fused(taps.weight[k], in[j + margin - k] + in[j + margin + k], sum);
        }
        result[j] = sum;
      }
    }
    real4 four;
    four.x = result[0];
    four.y = result[1];
    four.z = result[2];
    four.w = result[3];
    store4_global(out + (wide)y * stride + x, four);
    if (half_stride > 0 && (y & 1) == 0 && (y >> 1) < height / 2) {
      GLOBAL real* half_row = halved + (wide)(y >> 1) * half_stride + (x >> 1);
      if ((x >> 1) < width / 2) half_row[0] = result[0];
      if ((x >> 1) + 1 < width / 2) half_row[1] = result[2];
    }
  }
}

// One blur. groups: ⌈width/128⌉ × ⌈height/16⌉. Offsets [float] are those of the planes in `in` and `pyramid`; sizes are
// those of the result, of which `in` has half if it is doubled.
#define BLUR_KERNEL(NAME, RADIUS, MARGIN, FIXED, DOUBLED)                                                            \
  KERNEL THREADS(GROUP_THREADS) void NAME(                                                                           \
      const GLOBAL real* in, wide in_first, integer in_stride, GLOBAL real* pyramid, wide out_first, integer stride, \
      integer width, integer height, wide half_first, integer half_stride, const TapsOfKernel taps) {                \
    SHARED real4 sums[TILE_HEIGHT * (TILE_WIDTH + 2 * (MARGIN)) / 4];                                                \
    filter_columns(in + in_first, in_stride, width, height, taps, RADIUS, MARGIN, FIXED, DOUBLED,                    \
                   (SHARED_POINTER real*)sums);                                                                      \
    barrier_of_group();                                                                                              \
    filter_rows((const SHARED_POINTER real*)sums, taps, RADIUS, MARGIN, FIXED, pyramid + out_first, width, height,   \
                stride, pyramid + half_first, half_stride);                                                          \
  }

BLUR_KERNEL(blur_5, 5, 8, true, false)
BLUR_KERNEL(blur_7, 7, 8, true, false)
BLUR_KERNEL(blur_8, 8, 8, true, false)
BLUR_KERNEL(blur_10, 10, 12, true, false)
BLUR_KERNEL(blur_13, 13, 16, true, false)
BLUR_KERNEL(blur_any, taps.radius, 112, false, false)
BLUR_KERNEL(blur_doubled_5, 5, 8, true, true)
BLUR_KERNEL(blur_doubled_any, taps.radius, 112, false, true)
