// A tile of a separable Gaussian blur on a GPU, for the radii that are compiled as constants. A group of 256 threads
// makes 32 rows, 16 or 8. First each thread filters one column, all of whose input it holds in registers, and leaves
// the sums in shared memory; margins to either side give the rows their neighbours, so that a tile is 256 − 2·margin
// pixels wide. Then each thread filters eight neighbouring pixels of a row. The image between the two passes never
// exists. Included after kernel_words.h and pyramid_layout.h.

// Floats from row to row of sums, 4 more than there are columns: where eight threads read eight rows, they read all of
// the 32 banks.
OCTAVO_CONSTANT int blur_pitch = 260;

// One blur. `in` has the result's size, or half of it where the first blur doubles. That one may also read a grey image
// of 8 bits as it came.
typedef struct Blur {
  const GLOBAL real* in;
  const GLOBAL octet* bytes;
  real of_byte;  // what a byte is multiplied by
  GLOBAL real* out;
  GLOBAL real* halved;  // gets every second pixel of every second row; no matter where half_stride is 0
  integer in_stride, stride, half_stride;
  integer width, height;
} Blur;

OCTAVO_INLINE integer mirrored(integer i, integer n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

// A pixel of the image to be filtered.
OCTAVO_INLINE real source_pixel(const Blur b, wide at, truth bytes) {
  return bytes ? octet_to_real(b.bytes[at]) * b.of_byte : b.in[at];
}

// The same where the image may have to be doubled first.
OCTAVO_INLINE real pixel_to_blur(const Blur b, integer x, integer y, truth bytes, truth doubled) {
  if (!doubled) return source_pixel(b, (wide)y * b.in_stride + x, bytes);
  const integer last_x = b.width / 2 - 1, last_y = b.height / 2 - 1;
  const integer left = x >> 1, right = (x & 1) != 0 && left < last_x ? left + 1 : left;  // left twice: itself, exactly
  const wide row = (wide)(y >> 1) * b.in_stride;
  const real above = halfway(source_pixel(b, row + left, bytes), source_pixel(b, row + right, bytes));
  if ((y & 1) == 0) return above;
  const wide next = (y >> 1) < last_y ? row + b.in_stride : row;
  return halfway(above, halfway(source_pixel(b, next + left, bytes), source_pixel(b, next + right, bytes)));
}

// The pixels y0 − radius … y0 + rows − 1 + radius of column x, the image being doubled; y0 is even, and the source has
// all the rows that are read.
OCTAVO_INLINE void doubled_column(const Blur b, integer x, integer y0, integer radius, integer rows, truth bytes,
                                  real* window) {
  const integer last_x = b.width / 2 - 1;
  const integer left = x >> 1, right = (x & 1) != 0 && left < last_x ? left + 1 : left;
  const integer before = (radius + 1) / 2 * 2;  // an even number of rows of the doubled image
  wide row = (wide)((y0 - before) / 2) * b.in_stride;
  real above = halfway(source_pixel(b, row + left, bytes), source_pixel(b, row + right, bytes));
#pragma unroll
  for (integer i = 0; i < rows + radius + before; i += 2) {
    row += b.in_stride;
    const real below = halfway(source_pixel(b, row + left, bytes), source_pixel(b, row + right, bytes));
    const integer w = i - (before - radius);
    if (w >= 0) window[w] = above;
    if (w + 1 < rows + 2 * radius) window[w + 1] = halfway(above, below);
    above = below;
  }
}

// Along columns, into shared memory: `rows` rows of a sum for each thread.
OCTAVO_INLINE void blur_along_columns(const Blur b, const FewTaps taps, integer radius, integer rows, truth bytes,
                                      truth doubled, integer tile_x, integer tile_y, SHARED_POINTER real* sums) {
  const integer column = tile_x * columns_of_blur(radius) - margin_of_blur(radius) + thread_x;
  if (column >= b.width + radius) return;
  const integer x = mirrored(column, b.width), y0 = tile_y * rows;
  real window[tall_rows + 2 * few_taps];
  if (doubled && y0 >= radius + 1 && y0 + rows + radius + 1 < b.height) {
    doubled_column(b, x, y0, radius, rows, bytes, window);
  } else if (!doubled && y0 >= radius && y0 + rows + radius <= b.height) {
    wide at = (wide)(y0 - radius) * b.in_stride + x;
#pragma unroll
    for (integer i = 0; i < rows + 2 * radius; ++i) {
      window[i] = source_pixel(b, at, bytes);
      at += b.in_stride;
    }
  } else {
#pragma unroll
    for (integer i = 0; i < rows + 2 * radius; ++i) {
      window[i] = pixel_to_blur(b, x, mirrored(y0 - radius + i, b.height), bytes, doubled);
    }
  }
#pragma unroll
  for (integer j = 0; j < rows; ++j) {
    real sum = taps.weight[0] * window[j + radius];
#pragma unroll
    for (integer k = 1; k <= radius; ++k) {
      sum = fused(taps.weight[k], window[j + radius - k] + window[j + radius + k], sum);
    }
    sums[j * blur_pitch + thread_x] = sum;
  }
}

// Along rows, out of shared memory; every second pixel of every second row also goes to `halved`. Eight threads that
// follow each other take the same pixels of eight rows, so that they meet in no bank. All threads go along to the end:
// neighbours write together.
OCTAVO_INLINE void blur_along_rows(const Blur b, const FewTaps taps, integer radius, integer rows, integer tile_x,
                                   integer tile_y, const SHARED_POINTER real* sums) {
  const integer margin = margin_of_blur(radius), columns = columns_of_blur(radius), runs = columns / 8;
  for (integer first = 0; first < rows * runs; first += blur_threads) {
    const integer item = first + thread_x < rows * runs ? first + thread_x : thread_x & 7;
    const integer run = (item >> 3) % runs, row = (item >> 3) / runs * 8 + (item & 7);
    const integer x = tile_x * columns + 8 * run, y = tile_y * rows + row;
    const SHARED_POINTER real* in = sums + row * blur_pitch + 8 * run;
    real window[8 + 2 * 16];
#pragma unroll
    for (integer i = 0; i < 8 + 2 * margin; i += 4) {
      const real4 four = load4_shared(in + i);
      window[i] = four.x;
      window[i + 1] = four.y;
      window[i + 2] = four.z;
      window[i + 3] = four.w;
    }
    real result[8];
#pragma unroll
    for (integer j = 0; j < 8; ++j) {
      real sum = taps.weight[0] * window[j + margin];
#pragma unroll
      for (integer k = 1; k <= radius; ++k) {
        sum = fused(taps.weight[k], window[j + margin - k] + window[j + margin + k], sum);
      }
      result[j] = sum;
    }
    const truth counts = first + thread_x < rows * runs && x < b.width;
    store8_global(b.out + (wide)y * b.stride + x, b.stride, counts && y < b.height, counts && (y ^ 1) < b.height,
                  four_of(result[0], result[1], result[2], result[3]),
                  four_of(result[4], result[5], result[6], result[7]));
    if (b.half_stride > 0 && counts && (y & 1) == 0 && (y >> 1) < b.height / 2 && (x >> 1) < b.width / 2) {
      store4_global(b.halved + (wide)(y >> 1) * b.half_stride + (x >> 1),
                    four_of(result[0], result[2], result[4], result[6]));
    }
  }
}
