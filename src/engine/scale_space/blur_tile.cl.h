// A tile of a separable Gaussian blur on a GPU, for the radii that are compiled as constants. A group of 256 threads
// makes 32, 16 or 8 rows. First each thread filters one column, whose input it holds in registers, and writes the sums
// to local memory. Margins on both sides give the rows their neighbours, so a tile is 256 − 2·margin pixels wide. Then
// each thread filters eight neighbouring pixels of a row. The image between the two passes is never stored. Included
// after kernel_primitives.h, pyramid_layout.h and mirrored.cl.h.

// Floats from row to row of sums, 4 more than there are columns: eight threads that read eight rows then read from all
// of the 32 banks.
OCTAVO_CONSTANT int blur_pitch = 260;

// One blur. `in` has the result's size, or half of it if the first blur doubles. The first blur may also read a grey
// image of 8 bits directly.
typedef struct Blur {
  const GLOBAL float* in;
  const GLOBAL uchar* bytes;
  float of_byte;  // factor of a byte
  GLOBAL float* out;
  GLOBAL float* halved;  // receives every second pixel of every second row; not used if half_stride is 0
  int in_stride, stride, half_stride;
  int width, height;
} Blur;

// A pixel of the image to be filtered.
OCTAVO_INLINE float source_pixel(const Blur b, int64_t at, bool bytes) {
  return bytes ? uchar_to_float(b.bytes[at]) * b.of_byte : b.in[at];
}

// A pixel of the image to be filtered, which may have to be doubled first.
OCTAVO_INLINE float pixel_to_blur(const Blur b, int x, int y, bool bytes, bool doubled) {
  if (!doubled) return source_pixel(b, (int64_t)y * b.in_stride + x, bytes);
  const int last_x = b.width / 2 - 1, last_y = b.height / 2 - 1;
  const int left = x >> 1, right = (x & 1) != 0 && left < last_x ? left + 1 : left;  // left twice: itself, exactly
  const int64_t row = (int64_t)(y >> 1) * b.in_stride;
  const float above = halfway(source_pixel(b, row + left, bytes), source_pixel(b, row + right, bytes));
  if ((y & 1) == 0) return above;
  const int64_t next = (y >> 1) < last_y ? row + b.in_stride : row;
  return halfway(above, halfway(source_pixel(b, next + left, bytes), source_pixel(b, next + right, bytes)));
}

// The pixels y0 − radius … y0 + rows − 1 + radius of column x, the image being doubled; y0 is even, and the source has
// all the rows that are read.
OCTAVO_INLINE void doubled_column(const Blur b, int x, int y0, int radius, int rows, bool bytes, float* window) {
  const int last_x = b.width / 2 - 1;
  const int left = x >> 1, right = (x & 1) != 0 && left < last_x ? left + 1 : left;
  const int before = (radius + 1) / 2 * 2;  // an even number of rows of the doubled image
  int64_t row = (int64_t)((y0 - before) / 2) * b.in_stride;
  float above = halfway(source_pixel(b, row + left, bytes), source_pixel(b, row + right, bytes));
#pragma unroll
  for (int i = 0; i < rows + radius + before; i += 2) {
    row += b.in_stride;
    const float below = halfway(source_pixel(b, row + left, bytes), source_pixel(b, row + right, bytes));
    const int w = i - (before - radius);
    if (w >= 0) window[w] = above;
    if (w + 1 < rows + 2 * radius) window[w + 1] = halfway(above, below);
    above = below;
  }
}

// Along columns, into local memory: `rows` rows of a sum for each thread, from row y0 on.
OCTAVO_INLINE void blur_along_columns(const Blur b, const FewTaps taps, int radius, int rows, bool bytes, bool doubled,
                                      int tile_x, int y0, LOCAL_PTR float* sums) {
  const int column = tile_x * columns_of_blur(radius) - margin_of_blur(radius) + local_id_x;
  if (column >= b.width + radius) return;
  const int x = mirrored(column, b.width);
  float window[tall_rows + 2 * few_taps];
  if (doubled && y0 >= radius + 1 && y0 + rows + radius + 1 < b.height) {
    doubled_column(b, x, y0, radius, rows, bytes, window);
  } else if (!doubled && y0 >= radius && y0 + rows + radius <= b.height) {
    int64_t at = (int64_t)(y0 - radius) * b.in_stride + x;
#pragma unroll
    for (int i = 0; i < rows + 2 * radius; ++i) {
      window[i] = source_pixel(b, at, bytes);
      at += b.in_stride;
    }
  } else {
#pragma unroll
    for (int i = 0; i < rows + 2 * radius; ++i) {
      window[i] = pixel_to_blur(b, x, mirrored(y0 - radius + i, b.height), bytes, doubled);
    }
  }
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    float sum = taps.weight[0] * window[j + radius];
#pragma unroll
    for (int k = 1; k <= radius; ++k) {
      sum = fma(taps.weight[k], window[j + radius - k] + window[j + radius + k], sum);
    }
    sums[j * blur_pitch + local_id_x] = sum;
  }
}

// Filters along rows, from local memory. Every second pixel of every second row is also written to `halved`. Eight
// consecutive threads take the same pixels of eight rows, so that they read different banks. All threads run to the
// end, so that neighbours write together.
OCTAVO_INLINE void blur_along_rows(const Blur b, const FewTaps taps, int radius, int rows, int tile_x, int y0,
                                   const LOCAL_PTR float* sums) {
  const int margin = margin_of_blur(radius), columns = columns_of_blur(radius), runs = columns / 8;
  for (int first = 0; first < rows * runs; first += blur_threads) {
    const int item = first + local_id_x < rows * runs ? first + local_id_x : local_id_x & 7;
    const int run = (item >> 3) % runs, row = (item >> 3) / runs * 8 + (item & 7);
    const int x = tile_x * columns + 8 * run, y = y0 + row;
    const LOCAL_PTR float* in = sums + row * blur_pitch + 8 * run;
    float window[8 + 2 * 16];
#pragma unroll
    for (int i = 0; i < 8 + 2 * margin; i += 4) {
      const float4 four = load4_local(in + i);
      window[i] = four.x;
      window[i + 1] = four.y;
      window[i + 2] = four.z;
      window[i + 3] = four.w;
    }
    float result[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float sum = taps.weight[0] * window[j + margin];
#pragma unroll
      for (int k = 1; k <= radius; ++k) {
        sum = fma(taps.weight[k], window[j + margin - k] + window[j + margin + k], sum);
      }
      result[j] = sum;
    }
    const bool counts = first + local_id_x < rows * runs && x < b.width;
    store8_global(b.out + (int64_t)y * b.stride + x, b.stride, counts && y < b.height, counts && (y ^ 1) < b.height,
                  make_float4(result[0], result[1], result[2], result[3]),
                  make_float4(result[4], result[5], result[6], result[7]));
    if (b.half_stride > 0 && counts && (y & 1) == 0 && (y >> 1) < b.height / 2 && (x >> 1) < b.width / 2) {
      store4_global(b.halved + (int64_t)(y >> 1) * b.half_stride + (x >> 1),
                    make_float4(result[0], result[2], result[4], result[6]));
    }
  }
}
