// SIFT on a GPU, from the Gaussian pyramid to descriptors in canonical order, without asking the host in between.
//
//   extrema   grid points where the difference of Gaussians is extreme
//   refine…   moves them to where they settle, and tests them; a bitmap of grid points keeps each one once
//   orient    a work-group per extremum: histogram of directions, peaks; every orientation makes a keypoint
//   place     keypoints to their rows of pixels; counts of rows, and of spans of rows, say where a row begins
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

// A grid point where D is extreme.
typedef struct Candidate {
  integer octave, layer, row, column;
} Candidate;

// Of what was counted, what is on the list.
OCTAVO_INLINE integer listed(word counted, integer capacity) {
  return counted < (word)capacity ? (integer)counted : capacity;
}

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
                                 const SiftOfKernel sift, const ExtremumLimits limits, GLOBAL word* tallies,
                                 GLOBAL Candidate* candidates) {
  await_previous_kernel();
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
                                          const SiftOfKernel sift, const ExtremumLimits limits,
                                          const GLOBAL octet* mask, GLOBAL word* tallies,
                                          const GLOBAL Candidate* candidates, GLOBAL Oriented* found) {
  await_previous_kernel();
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

// Neighbouring pixels vote for the same few bins at once: several copies of a histogram let them.
OCTAVO_CONSTANT int orientation_copies = 8;
OCTAVO_CONSTANT int descriptor_copies = 8;

// groups: any number; each takes its share of the extrema.
KERNEL THREADS(64) void orient(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                               const GLOBAL Oriented* found, GLOBAL word* tallies, GLOBAL Oriented* keypoints) {
  await_previous_kernel();
  SHARED word copies[37 * orientation_copies];
  SHARED wide votes[37];
  SHARED wide smooth[36];
  SHARED wide highest_of_six[6];
  SHARED wide peak_votes[36];  // of the peaks, in no order
  SHARED integer peak_bins[36];
  SHARED real peak_turns[36];  // 2, which is beyond all, for those that are not kept
  SHARED real weights[64];
  SHARED word peaks[1];
  SHARED integer first[1];  // in the list of keypoints
  const integer total = listed(tallies[extrema_counter], sift.extrema_capacity);
  for (integer e = group_x; e < total; e += groups_x) {
    Oriented k = found[e];
    const OctaveLayout o = layout[k.octave];
    // No barrier may depend on an option: upright keypoints have an empty window instead.
    const integer radius = radius_of_orientation(k.scale);
    const real factor = window_factor(constant(1.5f) * k.scale);
    for (integer i = thread_x; i < 37 * orientation_copies; i += 64) copies[i] = 0;
    if (thread_x == 0) peaks[0] = 0;
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
    // A thread per bin: smoothed votes, then whether it is a peak; then a thread per peak, its place among the peaks.
    if (thread_x < 37) {
      wide sum = 0;
      for (integer i = 0; i < orientation_copies; ++i) sum += copies[thread_x * orientation_copies + i];
      votes[thread_x] = sum;
    }
    barrier_of_group();
    if (thread_x < 36) {
      const wide seam = votes[36];
      wide around[5];
      for (integer i = 0; i < 5; ++i) {
        const integer b = (thread_x + 34 + i) % 36;
        around[i] = votes[b] + (b == 0 ? seam : 0);
      }
      smooth[thread_x] = smoothed_votes(around[0], around[1], around[2], around[3], around[4]);
    }
    barrier_of_group();
    if (thread_x < 6) {
      wide highest = 0;
      for (integer i = 6 * thread_x; i < 6 * thread_x + 6; ++i) highest = smooth[i] > highest ? smooth[i] : highest;
      highest_of_six[thread_x] = highest;
    }
    barrier_of_group();
    const integer bin = thread_x < 36 ? thread_x : 0;
    wide highest = highest_of_six[0];
    for (integer i = 1; i < 6; ++i) highest = highest_of_six[i] > highest ? highest_of_six[i] : highest;
    if (thread_x < 36 && is_peak(smooth[(bin + 35) % 36], smooth[bin], smooth[(bin + 1) % 36], highest)) {
      const word place = add_shared(peaks, 1);
      peak_votes[place] = smooth[bin];
      peak_bins[place] = bin;
    }
    barrier_of_group();
    const integer peak_count = sift.upright != 0 ? 1 : (integer)peaks[0];
    real turns = constant(2.0f);
    if (thread_x < peak_count) {
      if (sift.upright != 0) {
        turns = 0;
      } else {
        const wide here = peak_votes[thread_x];
        const integer peak = peak_bins[thread_x];
        integer higher = 0;
        for (integer i = 0; i < peak_count; ++i) {
          higher += peak_votes[i] > here || (peak_votes[i] == here && peak_bins[i] < peak) ? 1 : 0;
        }
        if (higher < sift.max_orientations) {
          turns = turns_of_peak(peak, smooth[(peak + 35) % 36], here, smooth[(peak + 1) % 36]);
        }
      }
      peak_turns[thread_x] = turns;
    }
    barrier_of_group();
    integer smaller = 0, count = 0;
    if (thread_x < peak_count) {
      for (integer i = 0; i < peak_count; ++i) {
        smaller += peak_turns[i] < turns ? 1 : 0;
        count += peak_turns[i] < constant(2.0f) ? 1 : 0;
      }
      if (thread_x == 0) {
        first[0] = (integer)add_global(tallies + keypoint_counter, (word)count);
        const integer row = row_of_keypoint(layout, k);
        for (integer level = 0; level < 3; ++level) {
          add_global(tallies + sift.row_counts_at[level] + (row >> (row_count_shift * level)), (word)count);
        }
      }
    }
    barrier_of_group();
    const integer slot = first[0] + smaller;
    if (turns < constant(2.0f) && slot < sift.keypoint_capacity) {
      k.turns = turns;
      keypoints[slot] = k;
    }
    barrier_of_group();
  }
}

// What canonical order within an octave and layer goes by, and the number of the keypoint.
typedef struct Place {
  real y, x, turns;
  integer keypoint;
} Place;

OCTAVO_INLINE Place place_of(const Oriented k, integer number) {
  Place p;
  p.y = to_real(k.extremum.row) + k.extremum.row_offset;
  p.x = to_real(k.extremum.column) + k.extremum.column_offset;
  p.turns = k.turns;
  p.keypoint = number;
  return p;
}

OCTAVO_INLINE truth comes_before(const Place a, const Place b) {
  return a.y < b.y || (a.y == b.y && (a.x < b.x || (a.x == b.x && a.turns < b.turns)));
}

// Keypoints of the rows before this one: whole spans of rows by their counts, from the coarsest on.
OCTAVO_INLINE integer keypoints_before(const SiftOfKernel sift, const GLOBAL word* tallies, integer row) {
  word before = 0;
  for (integer level = 2; level >= 0; --level) {
    const GLOBAL word* counts = tallies + sift.row_counts_at[level];
    const integer end = row >> (row_count_shift * level);
    const integer begin = level == 2 ? 0 : row >> (row_count_shift * (level + 1)) << row_count_shift;
#pragma unroll 8
    for (integer i = begin; i < end; ++i) before += counts[i];
  }
  return (integer)before;
}

// groups: any number. `row_starts` gets where the keypoints of each row begin that has any.
KERNEL THREADS(64) void place(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift, GLOBAL word* tallies,
                              const GLOBAL Oriented* keypoints, GLOBAL integer* row_starts, GLOBAL Place* places) {
  await_previous_kernel();
  const integer total = listed(tallies[keypoint_counter], sift.keypoint_capacity);
  for (integer i = group_x * 64 + thread_x; i < total; i += groups_x * 64) {
    const Oriented k = keypoints[i];
    const integer row = row_of_keypoint(layout, k), start = keypoints_before(sift, tallies, row);
    const integer in_row = (integer)add_global(tallies + sift.row_fill_at + row, 1);
    if (in_row == 0) row_starts[row] = start;
    if (start + in_row < sift.keypoint_capacity) places[start + in_row] = place_of(k, i);
  }
}

// How many keypoints of a row come before p.
OCTAVO_INLINE integer places_before(const SiftOfKernel sift, const GLOBAL word* tallies,
                                    const GLOBAL integer* row_starts, const GLOBAL Place* places, integer row,
                                    const Place p) {
  const integer count = (integer)tallies[sift.row_counts_at[0] + row];
  const GLOBAL Place* of_row = places + (count > 0 ? row_starts[row] : 0);
  integer before = 0;
#pragma unroll 4
  for (integer i = 0; i < count; ++i) before += comes_before(of_row[i], p) ? 1 : 0;
  return before;
}

// groups: any number. A keypoint lies within half a pixel of its row, so only rounding can make it equal in y to one of
// a row next to its own, and nothing farther away can come between.
KERNEL THREADS(64) void rank(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift, const GLOBAL word* tallies,
                             const GLOBAL Oriented* keypoints, const GLOBAL integer* row_starts,
                             const GLOBAL Place* places, GLOBAL Oriented* sorted, GLOBAL Keypoint* out) {
  await_previous_kernel();
  const truth full = tallies[keypoint_counter] > (word)sift.keypoint_capacity;  // the host runs again with more room
  const integer total = full ? 0 : (integer)tallies[keypoint_counter];
  for (integer i = group_x * 64 + thread_x; i < total; i += groups_x * 64) {
    const Place p = places[i];
    const Oriented k = keypoints[p.keypoint];
    const integer row = row_of_keypoint(layout, k);
    integer position = row_starts[row] + places_before(sift, tallies, row_starts, places, row, p);
    if (k.extremum.row > 0) {
      position += places_before(sift, tallies, row_starts, places, row - 1, p) -
                  (integer)tallies[sift.row_counts_at[0] + row - 1];
    }
    if (k.extremum.row + 1 < layout[k.octave].height) {
      position += places_before(sift, tallies, row_starts, places, row + 1, p);
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

// The columns of a row of the window, relative to the keypoint, that can touch a cell: −2.5 < column, row − 1.5 < 2.5.
// The margin is for rounding, to whole pixels too. Packed as first + 32768 | (last + 32768) << 16.
OCTAVO_INLINE word span_of_row(real dy, real cosine, real sine, real over_cosine, real over_sine, integer first,
                               integer last) {
  const real margin = constant(0.6f);
  real low = to_real(first), high = to_real(last);
  if (absolute(cosine) > constant(0.001f)) {
    const real middle = (constant(0.0f) - dy * sine) * over_cosine, reach = absolute(constant(2.5f) * over_cosine);
    low = maximum(low, middle - reach - margin);
    high = minimum(high, middle + reach + margin);
  }
  if (absolute(sine) > constant(0.001f)) {
    const real middle = dy * cosine * over_sine, reach = absolute(constant(2.5f) * over_sine);
    low = maximum(low, middle - reach - margin);
    high = minimum(high, middle + reach + margin);
  }
  const integer begin = low <= high ? nearest(low) : 1, end = low <= high ? nearest(high) : 0;
  return (word)(begin + 32768) | (word)(end + 32768) << 16;
}

// The sum of 128 values in the canonical order (descriptor_finish.h), in two halves with a barrier between: 32 threads
// make the partial sums, then add them up, each for itself.
OCTAVO_INLINE void make_partial_sum(const SHARED_POINTER real* values, SHARED_POINTER real* sums, truth squares) {
  if (thread_x >= 32) return;
  real sum = 0;
#pragma unroll
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
KERNEL THREADS_AND_GROUPS(128, 10) void describe(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                                 const SiftOfKernel sift, const GLOBAL word* tallies,
                                                 const GLOBAL Oriented* sorted, integer chosen_count,
                                                 const GLOBAL integer* chosen, GLOBAL octet* descriptors) {
  await_previous_kernel();
  SHARED real4 zeroed[36 * 8 * descriptor_copies / 4];  // 6×6 cells: the outermost take what falls outside
  SHARED word spans[320];
  SHARED real weights[160];
  SHARED real values[128];
  SHARED real sums[32];
  SHARED real total_sum[1];
  SHARED_POINTER word* copies = (SHARED_POINTER word*)zeroed;
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
    const real over_cosine = constant(1.0f) / cosine, over_sine = constant(1.0f) / sine;
    for (integer i = thread_x; i < 36 * 8 * descriptor_copies / 4; i += 128) zeroed[i] = four_of(0, 0, 0, 0);
    for (integer i = thread_x; i <= radius; i += 128) weights[i] = window_weight(to_real(i), factor);
    for (integer i = thread_x; i <= bottom - top; i += 128) {
      spans[i] = span_of_row(to_real(top + i), cosine, sine, over_cosine, over_sine, left, right);
    }
    barrier_of_group();
    // Eight threads a row.
    const GLOBAL real* centre =
        pyramid + o.first + k.extremum.layer * o.level_floats + (wide)k.extremum.row * o.stride + k.extremum.column;
    SHARED_POINTER word* copy = copies + (thread_x & (descriptor_copies - 1));
    for (integer i = thread_x >> 3; i <= bottom - top; i += 16) {
      const integer dy = top + i, last = (integer)(spans[i] >> 16) - 32768;
      const real row_weight = weights[dy < 0 ? -dy : dy] * constant(1048576.0f);
      const real down = to_real(dy);
      const GLOBAL real* pixels = centre + (wide)dy * o.stride;
      const integer first = (integer)(spans[i] & 0xffff) - 32768 + (thread_x & 7);
      real across = to_real(first);
      for (integer dx = first; dx <= last; dx += 8, across += 8) {
        const real column = cell_column(across, down, cosine, sine);
        const real row = cell_row(across, down, cosine, sine);
        if (column > constant(-1.0f) && column < constant(4.0f) && row > constant(-1.0f) && row < constant(4.0f)) {
          const GLOBAL real* p = pixels + dx;
          const Shares s = descriptor_shares(p[1] - p[-1], p[o.stride] - p[-o.stride], column, row, k.turns,
                                             row_weight * weights[dx < 0 ? -dx : dx]);
          const integer cell = s.slot >> 3, below = (cell + cell / 5) * 8;  // of 5 in a row to one of 6
          SHARED_POINTER word* one = copy + (below + (s.slot & 7)) * descriptor_copies;
          SHARED_POINTER word* other = copy + (below + ((s.slot + 1) & 7)) * descriptor_copies;
          const integer right_cell = 8 * descriptor_copies, next_cells = 48 * descriptor_copies;
          add_shared(one, (word)s.row0_column0_direction0);
          add_shared(other, (word)s.row0_column0_direction1);
          add_shared(one + right_cell, (word)s.row0_column1_direction0);
          add_shared(other + right_cell, (word)s.row0_column1_direction1);
          add_shared(one + next_cells, (word)s.row1_column0_direction0);
          add_shared(other + next_cells, (word)s.row1_column0_direction1);
          add_shared(one + next_cells + right_cell, (word)s.row1_column1_direction0);
          add_shared(other + next_cells + right_cell, (word)s.row1_column1_direction1);
        }
      }
    }
    barrier_of_group();
    // Each thread adds up a bin of the 4×4 cells inside; they begin at different copies, to meet in fewer banks.
    const integer inner = thread_x >> 3, bin = ((inner / 4 + 1) * 6 + inner % 4 + 1) * 8 + (thread_x & 7);
    word votes = 0;
    for (integer i = 0; i < descriptor_copies; ++i) {
      votes += copies[bin * descriptor_copies + ((thread_x / 4 + i) & (descriptor_copies - 1))];
    }
    values[thread_x] = to_real((integer)votes);
    barrier_of_group();
    make_partial_sum(values, sums, true);
    barrier_of_group();
    if (thread_x < 32) {
      const real sum = tree_sum(sums);
      if (thread_x == 0) total_sum[0] = longest_value(sum);
    }
    barrier_of_group();
    values[thread_x] = minimum(values[thread_x], total_sum[0]);
    barrier_of_group();
    const truth squares = sift.rootsift == 0;
    make_partial_sum(values, sums, squares);
    barrier_of_group();
    if (thread_x < 32) {
      const real sum = tree_sum(sums);
      if (thread_x == 0) total_sum[0] = squares ? sift_factor(sum) : rootsift_factor(sum);
    }
    barrier_of_group();
    const real value = values[thread_x] * total_sum[0];
    const integer byte = byte_of(squares ? value : square_root(value));
    descriptors[(wide)n * 128 + thread_x] = (octet)byte;
    barrier_of_group();
  }
}
