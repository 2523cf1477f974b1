// The extrema of the difference of Gaussians (Lowe 2004, §3.1) on a GPU. A pixel is tested against its neighbours in
// several steps. The pixels that pass a step are listed anew each time, so that whole warps process them, although they
// are few. Image S + 2 may be missing: what is extreme in the topmost layer is then compared with the layer above by
// refine_kernels.cl.h. Included by sift_kernels.cl.h.

// The octave that a tile, or a row of keypoints, belongs to.
OCTAVO_INLINE int octave_of_tile(const GLOBAL OctaveLayout* layout, int octaves, int tile) {
  int o = 0;
  while (o + 1 < octaves && layout[o + 1].first_tile <= tile) ++o;
  return o;
}

// True unless D at one of four neighbours of `a` in its plane, those beside it or those at the corners, is as high
// (low, for a sign of −1) as `value`. The four are read at once: waiting for one before the next is read takes longer
// than reading those that are not needed.
OCTAVO_INLINE bool beats_four(const GLOBAL float* a, int64_t level_floats, int stride, bool corners, float value,
                              float sign) {
  bool beats = true;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int x = corners ? (i & 1) * 2 - 1 : i == 0 ? -1 : i == 1 ? 1 : 0;
    const int y = corners ? (i & 2) - 1 : i == 2 ? -1 : i == 3 ? 1 : 0;
    const GLOBAL float* p = a + y * stride + x;
    beats &= value > (p[level_floats] - p[0]) * sign;
  }
  return beats;
}

// The same for all eight neighbours.
OCTAVO_INLINE bool beats_ring(const GLOBAL float* a, int64_t level_floats, int stride, float value, float sign) {
  return beats_four(a, level_floats, stride, false, value, sign) &
         beats_four(a, level_floats, stride, true, value, sign);
}

// True if D is beyond the candidates' limit at a pixel and exceeds the same pixel of another layer.
OCTAVO_INLINE bool beats_layer(float here, float other, float limit) {
  const float sign = here > 0 ? 1.0f : -1.0f, size = fabs(here);
  return size > limit && size > other * sign;
}

// Peaks of a pixel: bit l is set if D at layer l is beyond the candidates' limit and exceeds the layers below and
// above, that above the topmost only if there is the last image.
OCTAVO_INLINE uint peaks_of_pixel(const GLOBAL float* pixel, int64_t level_floats, const ExtremumLimits limits,
                                  bool has_last) {
  uint peaks = 0;
  for (int i = 1; i <= limits.layers; ++i) {
    const GLOBAL float* a = pixel + i * level_floats;
    const float here = a[level_floats] - a[0];
    if (beats_layer(here, a[0] - a[-level_floats], limits.candidate) &&
        ((i == limits.layers && !has_last) ||
         beats_layer(here, a[2 * level_floats] - a[level_floats], limits.candidate))) {
      peaks |= (uint)1 << i;
    }
  }
  return peaks;
}

OCTAVO_INLINE void split4(float4 four, float* values) {
  values[0] = four.x;
  values[1] = four.y;
  values[2] = four.z;
  values[3] = four.w;
}

// Adds the peaks of pixel j of four, less those that a neighbour among the four or an image in the middle rules out.
OCTAVO_INLINE void add_peaks_among_four(float images[8][4], int layers, int j, float limit, uint* peaks) {
#pragma unroll
  for (int i = 1; i <= layers; ++i) {
    const float here = images[i + 1][j] - images[i][j];
    const bool beats_lower = i == 1 || beats_layer(here, images[i][j] - images[i - 1][j], limit);
    const bool beats_upper = i == layers || beats_layer(here, images[i + 2][j] - images[i + 1][j], limit);
    const bool beats_left = j == 0 || beats_layer(here, images[i + 1][j - 1] - images[i][j - 1], limit);
    const bool beats_right = j == 3 || beats_layer(here, images[i + 1][j + 1] - images[i][j + 1], limit);
    if (beats_lower && beats_upper && beats_left && beats_right) *peaks |= (uint)1 << i;
  }
}

// The peaks of four pixels for an S of 3 to 5 that is known to the compiler, less those that a neighbour among the four
// rules out. The images in the middle decide whether the lowest and the highest must be read. In smooth parts of an
// image this is not necessary.
OCTAVO_INLINE void peaks_of_four(const GLOBAL float* pixels, int64_t level_floats, int layers, float limit,
                                 bool has_last, uint* peaks) {
  float images[8][4];
#pragma unroll
  for (int i = 1; i <= layers + 1; ++i) split4(load4_global(pixels + i * level_floats), images[i]);
  const uint lowest = 2, highest = (uint)1 << layers;
  uint all = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    peaks[j] = 0;
    add_peaks_among_four(images, layers, j, limit, &peaks[j]);
    all |= peaks[j];
  }
  if ((all & lowest) != 0) {
    split4(load4_global(pixels), images[0]);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (!beats_layer(images[2][j] - images[1][j], images[1][j] - images[0][j], limit)) peaks[j] &= ~lowest;
    }
  }
  if (has_last && (all & highest) != 0) {
    split4(load4_global(pixels + (layers + 2) * level_floats), images[layers + 2]);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (!beats_layer(images[layers + 1][j] - images[layers][j], images[layers + 2][j] - images[layers + 1][j], limit))
        peaks[j] &= ~highest;
    }
  }
}

enum { tile_pixels = tile_columns * tile_rows };  // times most_layers they fit 16 bits

// The place of a tile of extrema.
typedef struct ExtremaTile {
  int octave, column, row;
} ExtremaTile;

// Puts the peaks among the layers of the tile's pixels on the list of those `waiting`: a pixel's number in the tile,
// and the layer. A warp reads a row of the tile, four pixels a thread.
OCTAVO_INLINE void gather_peaks(const ExtremaTile tile, const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                const ExtremumLimits limits, bool has_last, LOCAL_PTR uint* count,
                                LOCAL_PTR ushort* waiting) {
  const OctaveLayout o = layout[tile.octave];
  const int x = (local_id_x & (tile_columns / 4 - 1)) * 4, column = tile.column + x;
  if (column >= o.width - extrema_border) return;
  for (int y = local_id_x / (tile_columns / 4); y < tile_rows; y += extrema_threads / (tile_columns / 4)) {
    const int row = tile.row + y;
    if (row < extrema_border || row >= o.height - extrema_border) continue;
    const GLOBAL float* pixels = pyramid + o.first + (int64_t)row * o.stride + column;
    uint peaks[4];
    if (limits.layers == 3) {
      peaks_of_four(pixels, o.level_floats, 3, limits.candidate, has_last, peaks);
    } else if (limits.layers == 4) {
      peaks_of_four(pixels, o.level_floats, 4, limits.candidate, has_last, peaks);
    } else if (limits.layers == 5) {
      peaks_of_four(pixels, o.level_floats, 5, limits.candidate, has_last, peaks);
    } else {
      for (int j = 0; j < 4; ++j) peaks[j] = peaks_of_pixel(pixels + j, o.level_floats, limits, has_last);
    }
    uint all = 0;  // eight bits a pixel, the lowest for layer 1
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool inside = column + j >= extrema_border && column + j < o.width - extrema_border;
      if (inside) all |= peaks[j] >> 1 << 8 * j;
    }
    if (all == 0) continue;
    for (uint slot = atomic_add_local(count, count_of_bits(all)); all != 0; all &= all - 1, ++slot) {
      const uint bit = lowest_bit(all);
      waiting[slot] = (ushort)((bit & 7) * tile_pixels + (uint)(y * tile_columns + x) + (bit >> 3));
    }
  }
}

// groups: tiles, from `first_tile` on. Pixels that exceed all their neighbours become candidates. Few pixels exceed
// those above and below. They are put on a list, so that whole warps process them, each thread one pixel of one layer.
// `tallies` begins all 0.
KERNEL LAUNCH_BOUNDS(extrema_threads, 7) void extrema(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                                      int first_tile, const SiftOfKernel sift,
                                                      const ExtremumLimits usual_limits, const GLOBAL float* contrast,
                                                      GLOBAL uint* tallies, GLOBAL Candidate* candidates) {
  await_previous_kernel();
  const ExtremumLimits limits = limits_of_contrast(usual_limits, contrast[0]);
  const bool has_last = sift.last_radius == 0;
  LOCAL ushort waiting[tile_pixels * most_layers];
  LOCAL uint count[1];
  ExtremaTile tile;
  tile.octave = octave_of_tile(layout, sift.octaves, first_tile + group_id_x);
  const OctaveLayout o = layout[tile.octave];
  const int number = first_tile + group_id_x - o.first_tile;
  tile.column = number % o.tiles_across * tile_columns;
  tile.row = number / o.tiles_across * tile_rows;
  if (local_id_x == 0) count[0] = 0;
  local_barrier();
  gather_peaks(tile, pyramid, layout, limits, has_last, count, waiting);
  local_barrier();
  for (int i = local_id_x; i < (int)count[0]; i += extrema_threads) {
    const int place = waiting[i] % tile_pixels;
    Candidate c;
    c.octave = tile.octave;
    c.layer = 1 + waiting[i] / tile_pixels;
    c.row = tile.row + place / tile_columns;
    c.column = tile.column + place % tile_columns;
    const GLOBAL float* a = pyramid + o.first + c.layer * o.level_floats + (int64_t)c.row * o.stride + c.column;
    const float here = a[o.level_floats] - a[0];
    const float sign = here > 0 ? 1.0f : -1.0f, size = here * sign;
    const bool lacks_upper = c.layer == limits.layers && !has_last;
    // The neighbours beside a pixel rule most pixels out. All others are read at once.
    if (!beats_four(a, o.level_floats, o.stride, false, size, sign)) continue;
    const GLOBAL float* upper = lacks_upper ? a : a + o.level_floats;
    if (beats_four(a, o.level_floats, o.stride, true, size, sign) &
        beats_ring(a - o.level_floats, o.level_floats, o.stride, size, sign) &
        beats_ring(upper, o.level_floats, o.stride, size, sign)) {
      const int list = lacks_upper ? 1 : 0;  // that of the topmost layer lies behind the other
      const uint slot = atomic_add_global(tallies + candidate_counter + list, 1);
      if (slot < (uint)sift.candidate_capacity) candidates[list * sift.candidate_capacity + (int)slot] = c;
    }
  }
}
