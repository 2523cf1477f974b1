// Several images of a small octave in one launch, on a GPU. The octaves after the first few do not fill a GPU: a blur
// of theirs takes the time of its launch. A group therefore makes a tile of all the images by itself, from a larger
// tile of the image before them: the tile shrinks by the filter's radius on each side from image to image, down to the
// pixels that the group writes. Neighbouring groups compute the pixels around their tiles twice. Beyond the edges of an
// image stand its mirrored pixels, and what is filtered of those is the filtered image mirrored, bit by bit, as the
// filters are symmetric. Radii and sizes are constants where the functions are used. After kernel_primitives.h,
// pyramid_layout.h and mirrored.cl.h.

// A tile in local memory has an odd number of floats from row to row, so that the same column of 32 rows lies in 32
// banks, and three rows more, which are read but not used.
#define CHAIN_PITCH(side) ((side) + 1)
#define CHAIN_FLOATS(side) (((side) + 3) * CHAIN_PITCH(side))

// Reads a tile of side × side pixels. `places` has room for the numbers of its columns and rows.
OCTAVO_INLINE void read_chain_tile(const GLOBAL float* image, int stride, int side, const LOCAL_PTR int* places,
                                   LOCAL_PTR float* tile) {
#pragma unroll
  for (int first = 0; first < side * side; first += chain_threads) {
    const int i = first + local_id_x;
    if (i < side * side) {
      tile[i / side * CHAIN_PITCH(side) + i % side] =
          image[(int64_t)places[side + i / side] * stride + places[i % side]];
    }
  }
}

// Filters four pixels `step` floats apart, as are the pixels that the filter adds.
OCTAVO_INLINE void blur_four(const LOCAL_PTR float* in, int step, const FewTaps taps, int radius, float* sum) {
  float window[4 + 2 * few_taps];
#pragma unroll
  for (int i = 0; i < 4 + 2 * radius; ++i) window[i] = in[(i - radius) * step];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    sum[j] = taps.weight[0] * window[j + radius];
#pragma unroll
    for (int k = 1; k <= radius; ++k) {
      sum[j] = fma(taps.weight[k], window[j + radius - k] + window[j + radius + k], sum[j]);
    }
  }
}

// Along columns: the pixels from `begin` to `end` in both directions, less the radius at the top and at the bottom.
OCTAVO_INLINE void chain_along_columns(const LOCAL_PTR float* image, int side, const FewTaps taps, int radius,
                                       int begin, int end, LOCAL_PTR float* sums) {
  const int across = end - begin, fours = (across - 2 * radius + 3) / 4;
#pragma unroll 1  // the time is that of reading the code
  for (int i = local_id_x; i < across * fours; i += chain_threads) {
    const int x = begin + i % across, y = begin + radius + i / across * 4;
    float sum[4];
    blur_four(image + y * CHAIN_PITCH(side) + x, CHAIN_PITCH(side), taps, radius, sum);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (y + j < end - radius) sums[(y + j) * CHAIN_PITCH(side) + x] = sum[j];
    }
  }
}

// Along rows: the pixels from `begin` to `end` in both directions.
OCTAVO_INLINE void chain_along_rows(const LOCAL_PTR float* sums, int side, const FewTaps taps, int radius, int begin,
                                    int end, LOCAL_PTR float* image) {
  const int rows = end - begin, fours = (rows + 3) / 4;
#pragma unroll 1
  for (int i = local_id_x; i < rows * fours; i += chain_threads) {
    const int x = begin + i / rows * 4, y = begin + i % rows;
    float sum[4];
    blur_four(sums + y * CHAIN_PITCH(side) + x, 1, taps, radius, sum);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (x + j < end) image[y * CHAIN_PITCH(side) + x + j] = sum[j];
    }
  }
}

// Where a chain's images go.
typedef struct ChainOut {
  GLOBAL float* image;
  int stride, width, height, left, top;
} ChainOut;

// Writes the tile's inner pixels, or every second one of every second row.
OCTAVO_INLINE void write_chain_tile(const LOCAL_PTR float* tile, int side, int inner, const ChainOut out) {
#pragma unroll
  for (int first = 0; first < inner * inner; first += chain_threads) {
    const int i = first + local_id_x, x = out.left + i % inner, y = out.top + i / inner, halo = (side - inner) / 2;
    if (i < inner * inner && x < out.width && y < out.height) {
      out.image[(int64_t)y * out.stride + x] = tile[(halo + i / inner) * CHAIN_PITCH(side) + halo + i % inner];
    }
  }
}
OCTAVO_INLINE void write_chain_half(const LOCAL_PTR float* tile, int side, int inner, const ChainOut out) {
  const int halved = inner / 2, halo = (side - inner) / 2;
  for (int i = local_id_x; i < halved * halved; i += chain_threads) {
    const int x = out.left / 2 + i % halved, y = out.top / 2 + i / halved;
    if (x < out.width / 2 && y < out.height / 2) {
      out.image[(int64_t)y * out.stride + x] =
          tile[(halo + i / halved * 2) * CHAIN_PITCH(side) + halo + i % halved * 2];
    }
  }
}

// One blur of a chain, from the tile to itself; `begin` is the edge of what the blur before left.
#define CHAIN_BLUR(NUMBER, RADIUS, BEGIN)                                                               \
  if (RADIUS > 0) {                                                                                     \
    chain_along_columns(image, side, taps##NUMBER, RADIUS, BEGIN, side - (BEGIN), sums);                \
    local_barrier();                                                                                    \
    chain_along_rows(sums, side, taps##NUMBER, RADIUS, (BEGIN) + RADIUS, side - (BEGIN)-RADIUS, image); \
    local_barrier();                                                                                    \
    out.image += level_floats;                                                                          \
    write_chain_tile(image, side, inner, out);                                                          \
  }

// Images of one octave, from the one at `first` on, which is there already. groups: ⌈width/chain_side⌉ ×
// ⌈height/chain_side⌉. Every second pixel of every second row of the last of them is also written to the image at
// `half_first`, unless half_stride is 0. A radius of 0: no blur.
#define CHAIN_KERNEL(R1, R2, R3, R4)                                                                      \
  KERNEL WORK_GROUP_SIZE(chain_threads) void blur_chain_##R1##_##R2##_##R3##_##R4(                        \
      GLOBAL float* pyramid, int64_t first, int64_t level_floats, int stride, int width, int height,      \
      int64_t half_first, int half_stride, const FewTaps taps1, const FewTaps taps2, const FewTaps taps3, \
      const FewTaps taps4) {                                                                              \
    await_previous_kernel();                                                                              \
    enum { inner = chain_side, halo = R1 + R2 + R3 + R4, side = inner + 2 * halo };                       \
    LOCAL float image[CHAIN_FLOATS(side)];                                                                \
    LOCAL float sums[CHAIN_FLOATS(side)];                                                                 \
    LOCAL_PTR int* places = (LOCAL_PTR int*)sums;                                                         \
    ChainOut out;                                                                                         \
    out.image = pyramid + first;                                                                          \
    out.stride = stride;                                                                                  \
    out.width = width;                                                                                    \
    out.height = height;                                                                                  \
    out.left = group_id_x * inner;                                                                        \
    out.top = group_row * inner;                                                                          \
    if (local_id_x < side)                                                                                \
      places[local_id_x] = mirrored(out.left - halo + local_id_x, width);                                 \
    else if (local_id_x < 2 * side)                                                                       \
      places[local_id_x] = mirrored(out.top - halo + local_id_x - side, height);                          \
    local_barrier();                                                                                      \
    read_chain_tile(out.image, stride, side, places, image);                                              \
    local_barrier();                                                                                      \
    CHAIN_BLUR(1, R1, 0)                                                                                  \
    CHAIN_BLUR(2, R2, R1)                                                                                 \
    CHAIN_BLUR(3, R3, R1 + R2)                                                                            \
    CHAIN_BLUR(4, R4, R1 + R2 + R3)                                                                       \
    if (half_stride > 0) {                                                                                \
      out.image = pyramid + half_first;                                                                   \
      out.stride = half_stride;                                                                           \
      write_chain_half(image, side, inner, out);                                                          \
    }                                                                                                     \
  }
