// Where the difference of Gaussians is extreme (Lowe 2004, §3.1), and where between the grid points (§4), on a GPU.
// A pixel is tested against more and more neighbours, and what is left of them is listed anew each time, so that whole
// warps do what only few pixels need. Included by sift_kernels.cl.h.

// An octave's Gaussian images.
typedef struct Differences {
  const GLOBAL real* first;
  wide level_floats;
  integer stride;
} Differences;

OCTAVO_INLINE void difference_cube(Differences d, integer layer, integer row, integer column, real* cube) {
  for (integer s = 0; s < 3; ++s) {
    const GLOBAL real* a = d.first + (layer - 1 + s) * d.level_floats + (wide)(row - 1) * d.stride + column - 1;
    for (integer y = 0; y < 3; ++y) {
      for (integer x = 0; x < 3; ++x) cube[9 * s + 3 * y + x] = a[x + d.level_floats] - a[x];
      a += d.stride;
    }
  }
}

#include "sift/refine.h"

// The octave that a tile, or a row of keypoints, belongs to.
OCTAVO_INLINE integer octave_of_tile(const GLOBAL OctaveLayout* layout, integer octaves, integer tile) {
  integer o = 0;
  while (o + 1 < octaves && layout[o + 1].first_tile <= tile) ++o;
  return o;
}

// True unless one of the eight neighbours in the plane of D at `a` is as high (low, for a sign of −1) as `value`.
OCTAVO_INLINE truth beats_ring(const GLOBAL real* a, wide level_floats, integer stride, real value, real sign) {
  for (integer y = -1; y <= 1; ++y) {
    for (integer x = -1; x <= 1; ++x) {
      if (x == 0 && y == 0) continue;
      const GLOBAL real* p = a + y * stride + x;
      if (!(value > (p[level_floats] - p[0]) * sign)) return false;
    }
  }
  return true;
}

// Whether D is beyond the candidates' limit at a pixel, and beats the same pixel of another layer.
OCTAVO_INLINE truth beats_layer(real here, real other, real limit) {
  const real sign = here > 0 ? constant(1.0f) : constant(-1.0f), size = absolute(here);
  return size > limit && size > other * sign;
}

// Peaks of a pixel: bit l says that at layer l D is beyond the candidates' limit and beats the layers below and above.
OCTAVO_INLINE word peaks_of_pixel(const GLOBAL real* pixel, wide level_floats, const ExtremumLimits limits) {
  word peaks = 0;
  for (integer i = 1; i <= limits.layers; ++i) {
    const GLOBAL real* a = pixel + i * level_floats;
    const real here = a[level_floats] - a[0];
    if (beats_layer(here, a[0] - a[-level_floats], limits.candidate) &&
        beats_layer(here, a[2 * level_floats] - a[level_floats], limits.candidate)) {
      peaks |= (word)1 << i;
    }
  }
  return peaks;
}

OCTAVO_INLINE void split4(real4 four, real* values) {
  values[0] = four.x;
  values[1] = four.y;
  values[2] = four.z;
  values[3] = four.w;
}

// Those of four pixels for S = 3. The images in the middle decide whether the lowest and the highest need be read: in
// smooth parts of a picture they need not.
OCTAVO_INLINE void peaks_of_four(const GLOBAL real* pixels, wide level_floats, real limit, word* peaks) {
  real one[4], two[4], three[4], four[4];
  split4(load4_global(pixels + level_floats), one);
  split4(load4_global(pixels + 2 * level_floats), two);
  split4(load4_global(pixels + 3 * level_floats), three);
  split4(load4_global(pixels + 4 * level_floats), four);
  word all = 0;
#pragma unroll
  for (integer j = 0; j < 4; ++j) {
    const real d1 = two[j] - one[j], d2 = three[j] - two[j], d3 = four[j] - three[j];
    peaks[j] = (beats_layer(d1, d2, limit) ? 2u : 0u) | (beats_layer(d3, d2, limit) ? 8u : 0u) |
               (beats_layer(d2, d1, limit) && beats_layer(d2, d3, limit) ? 4u : 0u);
    all |= peaks[j];
  }
  if ((all & 2) != 0) {
    real zero[4];
    split4(load4_global(pixels), zero);
#pragma unroll
    for (integer j = 0; j < 4; ++j) {
      if (!beats_layer(two[j] - one[j], one[j] - zero[j], limit)) peaks[j] &= ~2u;
    }
  }
  if ((all & 8) != 0) {
    real five[4];
    split4(load4_global(pixels + 5 * level_floats), five);
#pragma unroll
    for (integer j = 0; j < 4; ++j) {
      if (!beats_layer(four[j] - three[j], five[j] - four[j], limit)) peaks[j] &= ~8u;
    }
  }
}

// Refines a candidate and adds it to the list, unless it does not settle, is masked, or is there already.
OCTAVO_INLINE void keep_extremum(Oriented k, const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                 const SiftOfKernel sift, const ExtremumLimits limits, const GLOBAL octet* mask,
                                 GLOBAL word* tallies, GLOBAL Oriented* found) {
  const OctaveLayout o = layout[k.octave];
  Differences d;
  d.first = pyramid + o.first;
  d.level_floats = o.level_floats;
  d.stride = o.stride;
  if (refine(d, limits, o.width, o.height, &k.extremum) != refinement_done) return;
  if (sift.has_mask != 0) {
    const integer octave = sift.first_octave + k.octave;
    const real x = image_coordinate(k.extremum.column, k.extremum.column_offset, octave);
    const real y = image_coordinate(k.extremum.row, k.extremum.row_offset, octave);
    const wide row = nearest_pixel(y, sift.image_height);
    if (mask[row * sift.image_width + nearest_pixel(x, sift.image_width)] == 0) return;
  }
  // Grid points are numbered like the pixels of the S images that can hold extrema.
  const wide point = o.first / (limits.layers + 3) * limits.layers + (k.extremum.layer - 1) * o.level_floats +
                     (wide)k.extremum.row * o.stride + k.extremum.column;
  const word bit = (word)1 << (point & 31);
  if ((or_global(tallies + sift.claims_at + (point >> 5), bit) & bit) != 0) return;
  k.scale = scale_at(k.extremum.layer, k.extremum.layer_offset, limits.layers, sift.sigma);
  k.turns = 0;
  const word slot = add_global(tallies + extrema_counter, 1);
  if (slot < (word)sift.extrema_capacity) found[slot] = k;
}

// Where a tile of extrema lies.
typedef struct ExtremaTile {
  integer octave, column, row;
} ExtremaTile;

// Puts the tile's pixels that are peaks among the layers on the list of those `waiting`, with their layers. A warp
// reads a row of the tile, four pixels a thread.
OCTAVO_INLINE void gather_peaks(const ExtremaTile tile, const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                const ExtremumLimits limits, SHARED_POINTER word* count, SHARED_POINTER word* waiting) {
  const OctaveLayout o = layout[tile.octave];
  const integer x = (thread_x & (tile_columns / 4 - 1)) * 4, column = tile.column + x;
  if (column >= o.width - extrema_border) return;
  for (integer y = thread_x / (tile_columns / 4); y < tile_rows; y += 256 / (tile_columns / 4)) {
    const integer row = tile.row + y;
    if (row < extrema_border || row >= o.height - extrema_border) continue;
    const GLOBAL real* pixels = pyramid + o.first + (wide)row * o.stride + column;
    word peaks[4];
    if (limits.layers == 3) {
      peaks_of_four(pixels, o.level_floats, limits.candidate, peaks);
    } else {
      for (integer j = 0; j < 4; ++j) peaks[j] = peaks_of_pixel(pixels + j, o.level_floats, limits);
    }
#pragma unroll
    for (integer j = 0; j < 4; ++j) {
      const truth inside = column + j >= extrema_border && column + j < o.width - extrema_border;
      if (inside && peaks[j] != 0) waiting[add_shared(count, 1)] = peaks[j] << 16 | (word)(y * tile_columns + x + j);
    }
  }
}

// groups: tiles, from `first_tile` on. Pixels that beat all their neighbours become candidates. Few pixels beat those
// above and below: they wait in a list, so that whole warps do what only few pixels need. `tallies` begins all 0.
KERNEL THREADS(256) void extrema(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout, integer first_tile,
                                 const SiftOfKernel sift, const ExtremumLimits usual_limits,
                                 const GLOBAL real* contrast, GLOBAL word* tallies, GLOBAL Candidate* candidates) {
  await_previous_kernel();
  const ExtremumLimits limits = limits_of_contrast(usual_limits, contrast[0]);
  SHARED word waiting[tile_columns * tile_rows];
  SHARED word count[1];
  ExtremaTile tile;
  tile.octave = octave_of_tile(layout, sift.octaves, first_tile + group_x);
  const OctaveLayout o = layout[tile.octave];
  const integer number = first_tile + group_x - o.first_tile;
  tile.column = number % o.tiles_across * tile_columns;
  tile.row = number / o.tiles_across * tile_rows;
  if (thread_x == 0) count[0] = 0;
  barrier_of_group();
  gather_peaks(tile, pyramid, layout, limits, count, waiting);
  barrier_of_group();
  for (integer i = thread_x; i < (integer)count[0]; i += 256) {
    const word peak = waiting[i];
    const integer place = (integer)(peak & 0xffff);
    Candidate c;
    c.octave = tile.octave;
    c.row = tile.row + place / tile_columns;
    c.column = tile.column + place % tile_columns;
    const GLOBAL real* centre = pyramid + o.first + (wide)c.row * o.stride + c.column;
    for (c.layer = 1; c.layer <= limits.layers; ++c.layer) {
      if ((peak >> 16 >> c.layer & 1) == 0) continue;
      const GLOBAL real* a = centre + c.layer * o.level_floats;
      const real here = a[o.level_floats] - a[0];
      const real sign = here > 0 ? constant(1.0f) : constant(-1.0f), size = here * sign;
      if (beats_ring(a, o.level_floats, o.stride, size, sign) &&
          beats_ring(a - o.level_floats, o.level_floats, o.stride, size, sign) &&
          beats_ring(a + o.level_floats, o.level_floats, o.stride, size, sign)) {
        const word slot = add_global(tallies + candidate_counter, 1);
        if (slot < (word)sift.candidate_capacity) candidates[slot] = c;
      }
    }
  }
}

// groups: any number; a thread a candidate.
KERNEL THREADS(32) void refine_candidates(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                          const SiftOfKernel sift, const ExtremumLimits usual_limits,
                                          const GLOBAL real* contrast, const GLOBAL octet* mask, GLOBAL word* tallies,
                                          const GLOBAL Candidate* candidates, GLOBAL Oriented* found) {
  await_previous_kernel();
  const ExtremumLimits limits = limits_of_contrast(usual_limits, contrast[0]);
  const integer total = listed(tallies[candidate_counter], sift.candidate_capacity);
  for (integer i = group_x * 32 + thread_x; i < total; i += groups_x * 32) {
    const Candidate c = candidates[i];
    Oriented k;
    k.octave = c.octave;
    k.extremum.layer = c.layer;
    k.extremum.row = c.row;
    k.extremum.column = c.column;
    keep_extremum(k, pyramid, layout, sift, limits, mask, tallies, found);
  }
}
