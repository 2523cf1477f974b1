// SIFT on a GPU, from the Gaussian pyramid to descriptors in canonical order, without asking the host in between.
//
//   extrema   finds, refines and tests extrema; a bitmap of grid points keeps each one once
//   orient    a work-group per extremum: histogram of directions, peaks; every orientation makes a keypoint
//   scan      where the keypoints of each row of pixels begin
//   place     keypoints to their rows
//   rank      each keypoint's place in canonical order: rows are sorted already, so only a row and its neighbours count
//   describe  a work-group per keypoint: 128 sums of votes, then bytes
//
// Lists grow by atomic counters. Where a list is full the counter goes on: the host sees by how much, makes room and
// runs again. Votes are integers, and ranks depend on values alone, so the order of threads cannot show.

// The words come before what is written in them.
// clang-format off
#include "maths/kernel_words.h"
#include "maths/functions.h"
#include "scale_space/pyramid_layout.h"
#include "sift/extremum_limits.h"
#include "sift/refinement_maths.h"
#include "sift/window_maths.h"
#include "sift/orientation_maths.h"
#include "sift/peak_maths.h"
#include "sift/frame_maths.h"
#include "sift/descriptor_maths.h"
#include "sift/bytes_maths.h"
#include "sift/sift_records.h"
// clang-format on

// As extremum.h, oriented.h and keypoint.h lay them out.
typedef struct Extremum {
  integer layer, row, column;
  real layer_offset, row_offset, column_offset;
  real value;
} Extremum;

typedef struct Oriented {
  integer octave;
  Extremum extremum;
  real scale, turns;
} Oriented;

typedef struct Keypoint {
  real x, y, scale, orientation, response;
  integer octave, layer;
} Keypoint;

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

OCTAVO_INLINE integer row_of_keypoint(const GLOBAL OctaveLayout* layout, const Oriented k) {
  const GLOBAL OctaveLayout* o = layout + k.octave;
  return o->first_row + (k.extremum.layer - 1) * o->height + k.extremum.row;
}

OCTAVO_INLINE integer pixel_of_mask(real at, integer size) {
  const real pixel = round_down(at + constant(0.5f));
  return pixel < 0 ? 0 : pixel > to_real(size - 1) ? size - 1 : nearest(pixel);
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

// Bit l: at layer l this pixel of D is beyond the candidates' limit and beats the same pixel of the layers below and
// above.
OCTAVO_INLINE word peaks_of_column(const GLOBAL real* centre, wide level_floats, const ExtremumLimits limits) {
  word layers = 0;
  real level[6];
  if (limits.layers == 3) {  // all loads at once: the layers need not wait for each other
#pragma unroll
    for (integer i = 0; i < 6; ++i) level[i] = centre[i * level_floats];
#pragma unroll
    for (integer i = 1; i <= 3; ++i) {
      const real here = level[i + 1] - level[i];
      const real sign = here > 0 ? constant(1.0f) : constant(-1.0f), size = absolute(here);
      if (size > limits.candidate && size > (level[i] - level[i - 1]) * sign &&
          size > (level[i + 2] - level[i + 1]) * sign) {
        layers |= (word)1 << i;
      }
    }
    return layers;
  }
  for (integer i = 1; i <= limits.layers; ++i) {
    const GLOBAL real* a = centre + i * level_floats;
    const real here = a[level_floats] - a[0];
    const real sign = here > 0 ? constant(1.0f) : constant(-1.0f), size = absolute(here);
    if (size > limits.candidate && size > (a[0] - a[-level_floats]) * sign &&
        size > (a[2 * level_floats] - a[level_floats]) * sign) {
      layers |= (word)1 << i;
    }
  }
  return layers;
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
  if (!refine(d, limits, o.width, o.height, &k.extremum)) return;
  if (sift.has_mask != 0) {
    const integer octave = sift.first_octave + k.octave;
    const real x = image_coordinate(k.extremum.column, k.extremum.column_offset, octave);
    const real y = image_coordinate(k.extremum.row, k.extremum.row_offset, octave);
    const wide row = pixel_of_mask(y, sift.image_height);
    if (mask[row * sift.image_width + pixel_of_mask(x, sift.image_width)] == 0) return;
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

// Puts the tile's pixels that are peaks among the layers on the list of those `waiting`, with their layers.
OCTAVO_INLINE void gather_peaks(const ExtremaTile tile, const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                const ExtremumLimits limits, SHARED_POINTER word* count,
                                SHARED_POINTER word* waiting) {
  const OctaveLayout o = layout[tile.octave];
  const integer x = thread_x & (tile_columns - 1), column = tile.column + x;
  if (column < extrema_border || column >= o.width - extrema_border) return;
#pragma unroll 2
  for (integer y = thread_x / tile_columns; y < tile_rows; y += 256 / tile_columns) {
    const integer row = tile.row + y;
    if (row < extrema_border || row >= o.height - extrema_border) continue;
    const word layers =
        peaks_of_column(pyramid + o.first + (wide)row * o.stride + column, o.level_floats, limits);
    if (layers != 0) waiting[add_shared(count, 1)] = layers << 16 | (word)(y * tile_columns + x);
  }
}

// Of those waiting, the ones that beat all their neighbours are refined and kept.
OCTAVO_INLINE void keep_peaks(const ExtremaTile tile, const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                              const SiftOfKernel sift, const ExtremumLimits limits, const GLOBAL octet* mask,
                              GLOBAL word* tallies, GLOBAL Oriented* found, integer count,
                              const SHARED_POINTER word* waiting) {
  const OctaveLayout o = layout[tile.octave];
  for (integer i = thread_x; i < count; i += 256) {
    const word peak = waiting[i];
    const integer place = (integer)(peak & 0xffff);
    Oriented k;
    k.octave = tile.octave;
    k.extremum.row = tile.row + place / tile_columns;
    k.extremum.column = tile.column + place % tile_columns;
    const GLOBAL real* centre = pyramid + o.first + (wide)k.extremum.row * o.stride + k.extremum.column;
    for (integer layer = 1; layer <= limits.layers; ++layer) {
      if ((peak >> 16 >> layer & 1) == 0) continue;
      const GLOBAL real* a = centre + layer * o.level_floats;
      const real here = a[o.level_floats] - a[0];
      const real sign = here > 0 ? constant(1.0f) : constant(-1.0f), size = here * sign;
      if (beats_ring(a, o.level_floats, o.stride, size, sign) &&
          beats_ring(a - o.level_floats, o.level_floats, o.stride, size, sign) &&
          beats_ring(a + o.level_floats, o.level_floats, o.stride, size, sign)) {
        k.extremum.layer = layer;
        keep_extremum(k, pyramid, layout, sift, limits, mask, tallies, found);
      }
    }
  }
}

// groups: SiftOfKernel::tiles. `tallies` begins all 0.
KERNEL THREADS(256) void extrema(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                 const ExtremumLimits limits, const GLOBAL octet* mask, GLOBAL word* tallies,
                                 GLOBAL Oriented* found) {
  SHARED word waiting[tile_columns * tile_rows];
  SHARED word count[1];
  ExtremaTile tile;
  tile.octave = octave_of_tile(layout, sift.octaves, group_x);
  const integer number = group_x - layout[tile.octave].first_tile, across = layout[tile.octave].tiles_across;
  tile.column = number % across * tile_columns;
  tile.row = number / across * tile_rows;
  if (thread_x == 0) count[0] = 0;
  barrier_of_group();
  gather_peaks(tile, pyramid, layout, limits, count, waiting);
  barrier_of_group();
  keep_peaks(tile, pyramid, layout, sift, limits, mask, tallies, found, (integer)count[0], waiting);
}

// Neighbouring pixels vote for the same few bins at once: several copies of a histogram let them.
OCTAVO_CONSTANT int orientation_copies = 8;
OCTAVO_CONSTANT int descriptor_copies = 32;

// groups: any number; each takes its share of the extrema.
KERNEL THREADS(64) void orient(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                               const GLOBAL Oriented* found, GLOBAL word* tallies, GLOBAL Oriented* keypoints) {
  SHARED word copies[40 * orientation_copies];
  SHARED wide votes[37];
  SHARED wide smooth[36];
  SHARED wide peaks[36];
  SHARED real weights[64];
  SHARED real kept_turns[36];
  SHARED integer first[1];  // in the list
  const word counted = tallies[extrema_counter];
  const integer total = counted < (word)sift.extrema_capacity ? (integer)counted : sift.extrema_capacity;
  for (integer e = group_x; e < total; e += groups_x) {
    Oriented k = found[e];
    const OctaveLayout o = layout[k.octave];
    // No barrier may depend on an option: upright keypoints have an empty window instead.
    const integer radius = radius_of_orientation(k.scale);
    const real factor = window_factor(constant(1.5f) * k.scale);
    for (integer i = thread_x; i < 40 * orientation_copies; i += 64) copies[i] = 0;
    for (integer i = thread_x; i <= radius; i += 64) weights[i] = window_weight(to_real(i), factor);
    barrier_of_group();
    const integer left = k.extremum.column - radius < 1 ? 1 : k.extremum.column - radius;
    const integer right = k.extremum.column + radius > o.width - 2 ? o.width - 2 : k.extremum.column + radius;
    const integer top = k.extremum.row - radius < 1 ? 1 : k.extremum.row - radius;
    const integer last = k.extremum.row + radius > o.height - 2 ? o.height - 2 : k.extremum.row + radius;
    const integer bottom = sift.upright != 0 ? top - 1 : last;
    const integer across = right - left + 1;
    const GLOBAL real* level = pyramid + o.first + k.extremum.layer * o.level_floats;
    integer x = left + thread_x, y = top;
    while (x > right) {
      x -= across;
      ++y;
    }
    while (y <= bottom) {
      const GLOBAL real* p = level + (wide)y * o.stride + x;
      const integer dx = x - k.extremum.column, dy = y - k.extremum.row;
      const real row_weight = weights[dy < 0 ? -dy : dy] * constant(1048576.0f);
      const Vote vote =
          orientation_vote(p[1] - p[-1], p[o.stride] - p[-o.stride], row_weight * weights[dx < 0 ? -dx : dx]);
      add_shared(&copies[vote.bin * orientation_copies + (thread_x & (orientation_copies - 1))], (word)vote.count);
      x += 64;
      while (x > right) {
        x -= across;
        ++y;
      }
    }
    barrier_of_group();
    // A thread per bin: smoothed votes, then whether it is a peak, then its place among the peaks.
    const integer bin = thread_x < 36 ? thread_x : 0;
    if (thread_x < 37) {
      wide sum = 0;
      for (integer i = 0; i < orientation_copies; ++i) sum += copies[thread_x * orientation_copies + i];
      votes[thread_x] = sum;
    }
    barrier_of_group();
    const wide seam = votes[36];
    wide around[5];
    for (integer i = 0; i < 5; ++i) {
      const integer b = (bin + 34 + i) % 36;
      around[i] = votes[b] + (b == 0 ? seam : 0);
    }
    if (thread_x < 36) smooth[bin] = smoothed_votes(around[0], around[1], around[2], around[3], around[4]);
    barrier_of_group();
    wide highest = 0;
    for (integer i = 0; i < 36; ++i) highest = smooth[i] > highest ? smooth[i] : highest;
    const wide before = smooth[(bin + 35) % 36], here = smooth[bin], after = smooth[(bin + 1) % 36];
    const truth peak = thread_x < 36 && is_peak(before, here, after, highest);
    if (thread_x < 36) peaks[bin] = peak ? here : -1;
    barrier_of_group();
    integer higher = 0;
    for (integer i = 0; i < 36; ++i) higher += peaks[i] > here || (peaks[i] == here && i < bin) ? 1 : 0;
    truth kept = peak && higher < sift.max_orientations;
    real turns = kept ? turns_of_peak(bin, before, here, after) : constant(2.0f);  // 2: beyond all
    if (sift.upright != 0) {
      kept = thread_x == 0;
      turns = kept ? constant(0.0f) : constant(2.0f);
    }
    if (thread_x < 36) kept_turns[bin] = turns;
    barrier_of_group();
    integer smaller = 0, count = 0;
    for (integer i = 0; i < 36; ++i) {
      smaller += kept_turns[i] < turns ? 1 : 0;
      count += kept_turns[i] < constant(2.0f) ? 1 : 0;
    }
    if (thread_x == 0 && count > 0) {
      first[0] = (integer)add_global(tallies + keypoint_counter, (word)count);
      add_global(tallies + sift.row_counts_at + row_of_keypoint(layout, k), (word)count);
    }
    barrier_of_group();
    const integer slot = first[0] + smaller;
    if (kept && slot < sift.keypoint_capacity) {
      k.turns = turns;
      keypoints[slot] = k;
    }
    barrier_of_group();
  }
}

// groups: 1. Turns counts into where each row begins.
KERNEL THREADS(1024) void scan(const SiftOfKernel sift, const GLOBAL word* tallies, GLOBAL word* row_starts) {
  const GLOBAL word* row_counts = tallies + sift.row_counts_at;
  SHARED word sums[1024];
  const integer share = (sift.rows + 1023) / 1024;
  const integer begin = thread_x * share < sift.rows ? thread_x * share : sift.rows;
  const integer end = begin + share < sift.rows ? begin + share : sift.rows;
  word sum = 0;
  for (integer i = begin; i < end; ++i) sum += row_counts[i];
  sums[thread_x] = sum;
  for (integer step = 1; step < 1024; step *= 2) {
    barrier_of_group();
    const word before = thread_x >= step ? sums[thread_x - step] : 0;
    barrier_of_group();
    sums[thread_x] += before;
  }
  word start = sums[thread_x] - sum;
  for (integer i = begin; i < end; ++i) {
    row_starts[i] = start;
    start += row_counts[i];
  }
  if (thread_x == 1023) row_starts[sift.rows] = sums[1023];
}

OCTAVO_INLINE integer keypoints_in_list(const SiftOfKernel sift, const GLOBAL word* tallies) {
  const word n = tallies[keypoint_counter];
  return (integer)(n < (word)sift.keypoint_capacity ? n : (word)sift.keypoint_capacity);
}

// groups: any number. Slots hold numbers of keypoints.
KERNEL THREADS(256) void place(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift, GLOBAL word* tallies,
                               const GLOBAL Oriented* keypoints, const GLOBAL word* row_starts,
                               GLOBAL integer* slots) {
  const integer total = keypoints_in_list(sift, tallies);
  for (integer i = group_x * 256 + thread_x; i < total; i += groups_x * 256) {
    const integer row = row_of_keypoint(layout, keypoints[i]);
    const integer slot = (integer)(row_starts[row] + add_global(tallies + sift.row_fill_at + row, 1));
    if (slot < sift.keypoint_capacity) slots[slot] = i;
  }
}

// Canonical order within an octave and layer: y, x, orientation.
OCTAVO_INLINE truth comes_before(const Oriented a, const Oriented b) {
  const real ay = to_real(a.extremum.row) + a.extremum.row_offset, by = to_real(b.extremum.row) + b.extremum.row_offset;
  if (ay != by) return ay < by;
  const real ax = to_real(a.extremum.column) + a.extremum.column_offset;
  const real bx = to_real(b.extremum.column) + b.extremum.column_offset;
  if (ax != bx) return ax < bx;
  return a.turns < b.turns;
}

// groups: any number. A keypoint lies within half a pixel of its row, so only rounding can make it equal in y to one of
// a row next to its own, and nothing farther away can come between.
KERNEL THREADS(256) void rank(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift, const GLOBAL word* tallies,
                              const GLOBAL Oriented* keypoints, const GLOBAL word* row_starts,
                              const GLOBAL integer* slots, GLOBAL Oriented* sorted, GLOBAL Keypoint* out) {
  const integer total = keypoints_in_list(sift, tallies);
  if (tallies[keypoint_counter] > (word)sift.keypoint_capacity) return;  // the host runs again with more room
  for (integer i = group_x * 256 + thread_x; i < total; i += groups_x * 256) {
    const Oriented k = keypoints[i];
    const integer height = layout[k.octave].height;
    const integer row = row_of_keypoint(layout, k);
    const integer begin = (integer)row_starts[row], end = (integer)row_starts[row + 1];
    integer position = begin;
    for (integer s = begin; s < end; ++s) {
      if (slots[s] != i && comes_before(keypoints[slots[s]], k)) ++position;
    }
    if (k.extremum.row > 0) {
      for (integer s = (integer)row_starts[row - 1]; s < begin; ++s) {
        if (comes_before(k, keypoints[slots[s]])) --position;
      }
    }
    if (k.extremum.row + 1 < height) {
      for (integer s = end; s < (integer)row_starts[row + 2]; ++s) {
        if (comes_before(keypoints[slots[s]], k)) ++position;
      }
    }
    sorted[position] = k;
    const integer octave = sift.first_octave + k.octave;
    Keypoint point;
    point.x = image_coordinate(k.extremum.column, k.extremum.column_offset, octave);
    point.y = image_coordinate(k.extremum.row, k.extremum.row_offset, octave);
    point.scale = k.scale * power_of_two(octave);
    point.orientation = radians_of(k.turns);
    point.response = absolute(k.extremum.value);
    point.octave = octave;
    point.layer = k.extremum.layer;
    out[position] = point;
  }
}

// To a thread's own copy of the histogram.
OCTAVO_INLINE void add_share(SHARED_POINTER word* copies, integer row, integer column, integer direction,
                             integer share) {
  if (row < 0 || row > 3 || column < 0 || column > 3) return;
  const integer bin = (row * 4 + column) * 8 + (direction & 7);
  add_shared(copies + bin * descriptor_copies + (thread_x & (descriptor_copies - 1)), (word)share);
}

// The columns of a row of the window, relative to the keypoint, that can touch a cell: −2.5 < column, row − 1.5 < 2.5.
// The margin is for rounding, to whole pixels too. Packed as first + 32768 | (last + 32768) << 16.
OCTAVO_INLINE word span_of_row(real dy, real cosine, real sine, integer first, integer last) {
  const real margin = constant(0.6f);
  real low = to_real(first), high = to_real(last);
  if (absolute(cosine) > constant(0.001f)) {
    const real a = (constant(-2.5f) - dy * sine) / cosine, b = (constant(2.5f) - dy * sine) / cosine;
    low = maximum(low, minimum(a, b) - margin);
    high = minimum(high, maximum(a, b) + margin);
  }
  if (absolute(sine) > constant(0.001f)) {
    const real a = (dy * cosine - constant(2.5f)) / sine, b = (dy * cosine + constant(2.5f)) / sine;
    low = maximum(low, minimum(a, b) - margin);
    high = minimum(high, maximum(a, b) + margin);
  }
  if (!(low <= high)) high = low - 1;
  const integer begin = nearest(low), end = high < low ? begin - 1 : nearest(high);
  return (word)(begin + 32768) | (word)(end + 32768) << 16;
}

// The sum of 128 values in the canonical order (descriptor_finish.h), in two halves with a barrier between: 32 threads
// make the partial sums, then every thread adds them up for itself.
OCTAVO_INLINE void make_partial_sum(const SHARED_POINTER real* values, SHARED_POINTER real* sums, truth squares) {
  if (thread_x >= 32) return;
  real sum = 0;
  for (integer i = thread_x; i < 128; i += 32) {
    sum = squares ? fused(values[i], values[i], sum) : sum + values[i];
  }
  sums[thread_x] = sum;
}

OCTAVO_INLINE real tree_sum(const SHARED_POINTER real* sums) {
  real tree[16];
#pragma unroll
  for (integer i = 0; i < 16; ++i) tree[i] = sums[i] + sums[i + 16];
#pragma unroll
  for (integer i = 0; i < 8; ++i) tree[i] += tree[i + 8];
#pragma unroll
  for (integer i = 0; i < 4; ++i) tree[i] += tree[i + 4];
  return tree[0] + tree[2] + (tree[1] + tree[3]);
}

// groups: any number. The keypoints described are sorted[chosen[i]] where a budget has chosen, else sorted[i].
KERNEL THREADS(128) void describe(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                  const SiftOfKernel sift, const GLOBAL word* tallies, const GLOBAL Oriented* sorted,
                                  integer chosen_count, const GLOBAL integer* chosen, GLOBAL octet* descriptors) {
  SHARED word copies[128 * descriptor_copies];
  SHARED word spans[320];
  SHARED real weights[160];
  SHARED real values[128];
  SHARED real sums[32];
  const truth full = tallies[keypoint_counter] > (word)sift.keypoint_capacity;  // the host runs again with more room
  const integer total = full ? 0 : chosen_count >= 0 ? chosen_count : (integer)tallies[keypoint_counter];
  for (integer n = group_x; n < total; n += groups_x) {
    const Oriented k = sorted[chosen_count >= 0 ? chosen[n] : n];
    const OctaveLayout o = layout[k.octave];
    const integer radius = radius_of_descriptor(k.scale);
    const real cell = cell_width(k.scale);
    const real cosine = cosine_of_turns(k.turns) / cell, sine = sine_of_turns(k.turns) / cell;
    const real factor = window_factor(constant(2.0f) * cell);
    const integer left = k.extremum.column - radius < 1 ? 1 - k.extremum.column : -radius;
    const integer right = k.extremum.column + radius > o.width - 2 ? o.width - 2 - k.extremum.column : radius;
    const integer top = k.extremum.row - radius < 1 ? 1 - k.extremum.row : -radius;
    const integer bottom = k.extremum.row + radius > o.height - 2 ? o.height - 2 - k.extremum.row : radius;
    for (integer i = thread_x; i < 128 * descriptor_copies; i += 128) copies[i] = 0;
    for (integer i = thread_x; i <= radius; i += 128) weights[i] = window_weight(to_real(i), factor);
    for (integer i = thread_x; i <= bottom - top; i += 128) {
      spans[i] = span_of_row(to_real(top + i), cosine, sine, left, right);
    }
    barrier_of_group();
    // Thread after thread along the spans, as if they were one row.
    const GLOBAL real* centre =
        pyramid + o.first + k.extremum.layer * o.level_floats + (wide)k.extremum.row * o.stride + k.extremum.column;
    integer dy = top, dx = thread_x, last = -1;
    if (top <= bottom) {
      dx += (integer)(spans[0] & 0xffff) - 32768;
      last = (integer)(spans[0] >> 16) - 32768;
    }
    while (dy <= bottom) {
      if (dx > last) {
        dx -= last + 1;
        ++dy;
        if (dy <= bottom) {
          dx += (integer)(spans[dy - top] & 0xffff) - 32768;
          last = (integer)(spans[dy - top] >> 16) - 32768;
        }
        continue;
      }
      const real column = cell_column(to_real(dx), to_real(dy), cosine, sine);
      const real row = cell_row(to_real(dx), to_real(dy), cosine, sine);
      if (column > constant(-1.0f) && column < constant(4.0f) && row > constant(-1.0f) && row < constant(4.0f)) {
        const GLOBAL real* p = centre + (wide)dy * o.stride + dx;
        const real row_weight = weights[dy < 0 ? -dy : dy] * constant(1048576.0f);
        const Shares s = descriptor_shares(p[1] - p[-1], p[o.stride] - p[-o.stride], column, row, k.turns,
                                           row_weight * weights[dx < 0 ? -dx : dx]);
        const integer direction = s.slot & 7, cells = s.slot >> 3, r = cells / 5, c = cells - r * 5;
        add_share(copies, r - 1, c - 1, direction, s.row0_column0_direction0);
        add_share(copies, r - 1, c - 1, direction + 1, s.row0_column0_direction1);
        add_share(copies, r - 1, c, direction, s.row0_column1_direction0);
        add_share(copies, r - 1, c, direction + 1, s.row0_column1_direction1);
        add_share(copies, r, c - 1, direction, s.row1_column0_direction0);
        add_share(copies, r, c - 1, direction + 1, s.row1_column0_direction1);
        add_share(copies, r, c, direction, s.row1_column1_direction0);
        add_share(copies, r, c, direction + 1, s.row1_column1_direction1);
      }
      dx += 128;
    }
    barrier_of_group();
    // Each thread adds up a bin; they begin at different copies, so that they meet in no bank.
    word votes = 0;
    for (integer i = 0; i < descriptor_copies; ++i) {
      votes += copies[thread_x * descriptor_copies + ((thread_x + i) & (descriptor_copies - 1))];
    }
    values[thread_x] = to_real((integer)votes);
    barrier_of_group();
    make_partial_sum(values, sums, true);
    barrier_of_group();
    values[thread_x] = minimum(values[thread_x], longest_value(tree_sum(sums)));
    barrier_of_group();
    const truth squares = sift.rootsift == 0;
    make_partial_sum(values, sums, squares);
    barrier_of_group();
    const real sum = tree_sum(sums);
    const real value = values[thread_x];
    const integer byte =
        squares ? byte_of(value * sift_factor(sum)) : byte_of(square_root(value * rootsift_factor(sum)));
    descriptors[(wide)n * 128 + thread_x] = (octet)byte;
    barrier_of_group();
  }
}
