// The places of extrema between the grid points (Lowe 2004, §4) on a GPU. An octave's last image, S + 2, serves the
// topmost layer alone, so it is made only around the points of that layer, 3×3 pixels at a time, from image S + 1. A
// thread refines a candidate of a lower layer; a whole group makes these pixels, and so refines a candidate of the
// topmost layer, or one that has moved there. Included by sift_kernels.cl.h.

enum {
  refined_at_once = 8,        // candidates of the lower layers: few, as any of them may move to the topmost layer
  patch_pitch = 32,           // floats from row to row of sums along columns
  patch_reach = 1 + few_taps  // rows above and below the point that a patch may need
};

// An octave's Gaussian images.
typedef struct Differences {
  const GLOBAL float* first;
  int64_t level_floats;
  int stride;
} Differences;

OCTAVO_INLINE void difference_cube(Differences d, int layer, int row, int column, float* cube) {
  for (int s = 0; s < 3; ++s) {
    const GLOBAL float* a = d.first + (layer - 1 + s) * d.level_floats + (int64_t)(row - 1) * d.stride + column - 1;
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x) cube[9 * s + 3 * y + x] = a[x + d.level_floats] - a[x];
      a += d.stride;
    }
  }
}

#include "engine/sift/refine.h"

OCTAVO_INLINE Extremum extremum_at(const Candidate c) {
  Extremum e;
  e.layer = c.layer;
  e.row = c.row;
  e.column = c.column;
  return e;
}

// A point on its way from a candidate: `step` steps are done.
typedef struct Moving {
  Candidate start, now;
  int step;
} Moving;

// The pixels of a column around a row, patch_reach to either side.
OCTAVO_INLINE void column_of_patch(const GLOBAL float* column, int row, int height, int stride, float* window) {
  if (row >= patch_reach && row + patch_reach < height) {
    const GLOBAL float* at = column + (int64_t)(row - patch_reach) * stride;
#pragma unroll
    for (int i = 0; i <= 2 * patch_reach; ++i) window[i] = at[(int64_t)i * stride];
  } else {
#pragma unroll
    for (int i = 0; i <= 2 * patch_reach; ++i) {
      window[i] = column[(int64_t)mirrored(row - patch_reach + i, height) * stride];
    }
  }
}

// The filter along columns: three rows of sums around a point, as wide as the filter along rows needs them.
OCTAVO_INLINE void blur_patch_along_columns(const Differences d, const OctaveLayout o, const Extremum at,
                                            const FewTaps taps, int radius, LOCAL_PTR float* sums) {
  const GLOBAL float* image = d.first + (at.layer + 1) * d.level_floats;
  const int column = at.column - 1 - radius + local_id_x;
  if (local_id_x >= 3 + 2 * radius) return;
  float window[2 * patch_reach + 1];
  column_of_patch(image + mirrored(column, o.width), at.row, o.height, o.stride, window);
#pragma unroll
  for (int j = 0; j < 3; ++j) {
    const int centre = few_taps + j;
    float sum = taps.weight[0] * window[centre];
#pragma unroll
    for (int k = 1; k <= few_taps; ++k) {
      if (k <= radius) sum = fma(taps.weight[k], window[centre - k] + window[centre + k], sum);
    }
    sums[j * patch_pitch + local_id_x] = sum;
  }
}

// The filter along rows, for pixel `i` of the nine.
OCTAVO_INLINE float pixel_of_patch(const LOCAL_PTR float* sums, int i, const FewTaps taps, int radius) {
  const LOCAL_PTR float* in = sums + i / 3 * patch_pitch + radius + i % 3;
  float sum = taps.weight[0] * in[0];
#pragma unroll
  for (int k = 1; k <= few_taps; ++k) {
    if (k <= radius) sum = fma(taps.weight[k], in[-k] + in[k], sum);
  }
  return sum;
}

// True if D at the centre of a cube exceeds the layer above (is below it, if negative).
OCTAVO_INLINE bool beats_above(const float* cube) {
  const float sign = cube[13] > 0 ? 1.0f : -1.0f;
  bool beats = true;
  for (int i = 18; i < 27; ++i) beats &= cube[13] * sign > cube[i] * sign;
  return beats;
}

// Adds an extremum to the list, unless it is masked or there already.
OCTAVO_INLINE void keep_extremum(Oriented k, const OctaveLayout o, const SiftOfKernel sift, int layers,
                                 const GLOBAL uchar* mask, GLOBAL uint* tallies, GLOBAL Oriented* found) {
  if (sift.has_mask != 0) {
    const int octave = sift.first_octave + k.octave;
    const float x = image_coordinate(k.extremum.column, k.extremum.column_offset, octave);
    const float y = image_coordinate(k.extremum.row, k.extremum.row_offset, octave);
    const int64_t row = nearest_pixel(y, sift.image_height);
    if (mask[row * sift.image_width + nearest_pixel(x, sift.image_width)] == 0) return;
  }
  // Grid points are numbered like the pixels of the S images that can hold extrema.
  const int64_t point = o.first / (layers + 3) * layers + (k.extremum.layer - 1) * o.level_floats +
                        (int64_t)k.extremum.row * o.stride + k.extremum.column;
  const uint bit = (uint)1 << (point & 31);
  if ((atomic_or_global(tallies + sift.claims_at + (point >> 5), bit) & bit) != 0) return;
  k.scale = scale_at(k.extremum.layer, k.extremum.layer_offset, layers, sift.sigma);
  k.turns = 0;
  k.shape.xx = k.shape.yy = 1;
  k.shape.xy = 0;
  const uint slot = atomic_add_global(tallies + extrema_counter, 1);
  if (slot >= (uint)sift.extrema_capacity) return;
  found[slot] = k;
  count_by_digit(k, sift, tallies);
}

// The images around a point.
OCTAVO_INLINE Differences differences_of(const GLOBAL float* pyramid, const OctaveLayout o) {
  Differences d;
  d.first = pyramid + o.first;
  d.level_floats = o.level_floats;
  d.stride = o.stride;
  return d;
}

// Refines a point until that is done, or until it is in the topmost layer, if that has no layer above.
OCTAVO_INLINE Refinement refine_below(const Differences d, const OctaveLayout o, const ExtremumLimits limits,
                                      bool has_last, const Candidate start, Extremum* e, int* step) {
  Refinement outcome = refinement_unstable;
  for (; *step < refinement_steps && (has_last || e->layer < limits.layers); ++*step) {
    float cube[27];
    difference_cube(d, e->layer, e->row, e->column, cube);
    if (!moves_on(cube, limits, o.width, o.height, start.row, start.column, e, &outcome)) {
      *step = refinement_steps;
      return outcome;
    }
  }
  return refinement_unstable;
}

// Refines a candidate, and adds the extremum to the list. Returns the point if it has moved to the topmost layer, else
// one without steps left.
OCTAVO_INLINE Moving refine_of_thread(const Candidate start, const GLOBAL float* pyramid,
                                      const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                      const ExtremumLimits limits, const GLOBAL uchar* mask, GLOBAL uint* tallies,
                                      GLOBAL Oriented* found) {
  const OctaveLayout o = layout[start.octave];
  Oriented k;
  k.octave = start.octave;
  k.extremum = extremum_at(start);
  Moving point;
  point.step = 0;
  const Refinement outcome =
      refine_below(differences_of(pyramid, o), o, limits, sift.last_radius == 0, start, &k.extremum, &point.step);
  if (outcome == refinement_done) keep_extremum(k, o, sift, limits.layers, mask, tallies, found);
  point.start = point.now = start;
  point.now.layer = k.extremum.layer;
  point.now.row = k.extremum.row;
  point.now.column = k.extremum.column;
  return point;
}

// The 27 differences around a point, each by a thread of the group; those above the topmost layer have no image yet.
OCTAVO_INLINE void differences_of_group(const Differences d, const OctaveLayout o, const Extremum e, bool is_topmost,
                                        const FewTaps last, int radius, LOCAL_PTR float* sums,
                                        LOCAL_PTR float* differences) {
  const int place = local_id_x < 27 ? local_id_x : 26, s = place / 9, at = place % 9;
  const GLOBAL float* a =
      d.first + (e.layer - 1 + s) * d.level_floats + (int64_t)(e.row - 1 + at / 3) * d.stride + e.column - 1 + at % 3;
  const bool is_made = is_topmost && s == 2;
  const float here = a[0];
  float above = is_made ? 0 : a[d.level_floats];
  if (is_topmost) blur_patch_along_columns(d, o, e, last, radius, sums);
  local_barrier();
  if (is_made) above = pixel_of_patch(sums, at, last, radius);
  if (local_id_x < 27) differences[local_id_x] = above - here;
}

// A step of a point in the topmost layer, of whose images a candidate has not been compared with the last.
OCTAVO_INLINE bool topmost_moves_on(const LOCAL_PTR float* differences, bool is_first, const ExtremumLimits limits,
                                    const OctaveLayout o, const Candidate start, Extremum* e, Refinement* outcome) {
  float cube[27];
  for (int j = 0; j < 27; ++j) cube[j] = differences[j];
  return (!is_first || beats_above(cube)) &&
         moves_on(cube, limits, o.width, o.height, start.row, start.column, e, outcome);
}

// groups: any number. In each round a thread refines a candidate of the lower layers; then the whole group refines a
// candidate of the topmost layer, which are on a list of their own behind the others, and the points that have moved
// into that layer. All its threads compute the same. `last` is the filter that makes the last image.
KERNEL WORK_GROUP_SIZE(refine_threads) void refine_candidates(
    const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
    const ExtremumLimits usual_limits, const GLOBAL float* contrast, const FewTaps last, const GLOBAL uchar* mask,
    GLOBAL uint* tallies, const GLOBAL Candidate* candidates, GLOBAL Oriented* found) {
  await_previous_kernel();
  LOCAL Moving moving[refined_at_once + 1];
  LOCAL uint arrivals[1];
  LOCAL float sums[3 * patch_pitch];
  LOCAL float differences[27];
  const ExtremumLimits limits = limits_of_contrast(usual_limits, contrast[0]);
  const int total = listed(tallies[candidate_counter], sift.candidate_capacity);
  const int topmost = listed(tallies[topmost_counter], sift.candidate_capacity);
  int first = group_id_x * refined_at_once, next = num_groups_x - 1 - group_id_x;
  for (; first < total || next < topmost; first += num_groups_x * refined_at_once, next += num_groups_x) {
    if (local_id_x == 0) arrivals[0] = 0;
    local_barrier();
    Moving mine;
    mine.step = refinement_steps;
    if (local_id_x < refined_at_once && first + local_id_x < total) {
      mine = refine_of_thread(candidates[first + local_id_x], pyramid, layout, sift, limits, mask, tallies, found);
    }
    if (mine.step < refinement_steps) moving[atomic_add_local(arrivals, 1)] = mine;
    if (local_id_x == 0 && next < topmost) {
      mine.now = mine.start = candidates[sift.candidate_capacity + next];
      mine.step = 0;
      moving[atomic_add_local(arrivals, 1)] = mine;
    }
    local_barrier();
    for (int i = 0; i < (int)arrivals[0]; ++i) {
      const Moving point = moving[i];
      const OctaveLayout o = layout[point.start.octave];
      const Differences d = differences_of(pyramid, o);
      Oriented k;
      k.octave = point.start.octave;
      k.extremum = extremum_at(point.now);
      Refinement outcome = refinement_unstable;
      bool moves = true;
      for (int step = point.step; moves && step < refinement_steps; ++step) {
        differences_of_group(d, o, k.extremum, k.extremum.layer == limits.layers, last, sift.last_radius, sums,
                             differences);
        local_barrier();
        moves = topmost_moves_on(differences, step == 0, limits, o, point.start, &k.extremum, &outcome);
      }
      if (!moves && outcome == refinement_done && local_id_x == 0) {
        keep_extremum(k, o, sift, limits.layers, mask, tallies, found);
      }
    }
    local_barrier();
  }
}
