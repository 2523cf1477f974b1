// FOAGDD on a GPU.
//
//   extend    the image in grey, with what lies around it
//   respond   K planes of responses, from a tile in local memory; a thread's four pixels share weights and neighbours
//   measure   keys: eight threads add the products of a pair of directions along rows, then down columns
//   find      candidates, to a list in any order
//   verify    a work-group per candidate: the responses around it at a larger scale, and their measure
//   corners_to_extrema, extrema_to_corners   before and after SIFT's kernels, where corners are described
//
// With 8 directions (and a window of 7 pixels) the loops over directions are unrolled and their sums stay in registers;
// other numbers take the kernels named _any (directions_kernels.cl.h). The host sorts the list: places are unique.

// The primitives must come before the code that uses them.
// clang-format off
#include "engine/maths/kernel_primitives.h"
#include "engine/scale_space/pixel_maths.h"
#include "engine/scale_space/grey.cl.h"
#include "engine/foagdd/foagdd_layout.h"
#include "engine/foagdd/foagdd_maths.h"
#include "engine/foagdd/response_maths.h"
#include "engine/sift/sift_records.h"
// clang-format on

// groups: ⌈(width + 2 margins)/(extend_pixels·extend_threads)⌉ × (height + 2 margins). Grey is rounded to whole numbers
// if `rounds` is 1. The list of candidates becomes empty.
KERNEL WORK_GROUP_SIZE(extend_threads) void extend(const GLOBAL uchar* image, int64_t image_stride, int channels,
                                                   int red_at, int sample_bytes, float red, float green, float blue,
                                                   float single, int rounds, int width, int height, GLOBAL float* out,
                                                   int stride, GLOBAL uint* list) {
  await_previous_kernel();
  const int first = group_id_x * extend_pixels * extend_threads + local_id_x;
  if (first == 0 && group_row == 0) list[0] = 0;
  if (group_row >= height + 2 * extended_margin) return;
  const int row = extended_index(group_row - extended_margin, height);
#pragma unroll
  for (int i = 0; i < extend_pixels; ++i) {
    const int x = first + i * extend_threads;
    if (x >= width + 2 * extended_margin) return;
    const int column = extended_index(x - extended_margin, width);
    float value = 0;
    if (row >= 0 && column >= 0) {
      value = grey_of(image + (int64_t)row * image_stride, column, channels, red_at, sample_bytes, red, green, blue,
                      single);
      if (rounds != 0) value = round_to_float(value);
    }
    out[(int64_t)group_row * stride + x] = value;
  }
}

OCTAVO_INLINE void split_quad(float4 quad, float* values) {
  values[0] = quad.x;
  values[1] = quad.y;
  values[2] = quad.z;
  values[3] = quad.w;
}

// Two quads of a row of a tile.
OCTAVO_INLINE void load_quads(const LOCAL_PTR float4* at, float* eight) {
  split_quad(at[0], eight);
  split_quad(at[1], eight + 4);
}

// The response in direction d from the sums of one pixel.
OCTAVO_INLINE float response_of(const float* odd, const float* even, int k, int d) {
  if (d == 0) return fabs(odd[0]);
  if (2 * d == k) return fabs(even[d - 1]);
  return 2 * d < k ? fabs(odd[d] + even[d - 1]) : fabs(odd[k - d] - even[k - d - 1]);
}

// For measure_8: the pairs of directions; the quads of a row of a tile of responses, 3 pixels wider on both sides, of
// its rows, and of those of all responses; the quads of a pair's sums, with a gap for which eight threads write to all
// banks.
enum {
  measure_pairs = 36,
  staged_quads = measure_quads + 2,
  staged_plane = measure_step * staged_quads,
  staged = 8 * staged_plane,
  disc_quads = measure_step * measure_quads + 6
};

// The quad of responses at place i of the tile whose first row is `top`; rows end at `end`.
OCTAVO_INLINE float4 staged_quad(const GLOBAL float* responses, int64_t planes, int stride, int i, int top, int end) {
  const int plane = i / staged_plane, row = top + i % staged_plane / staged_quads;
  return load4_global(responses + plane * planes + (int64_t)(row < end ? row : end - 1) * stride +
                      (group_id_x * measure_quads + i % staged_quads) * 4);
}

// Products of two responses along a row of a tile, of which ten are used.
OCTAVO_INLINE void products_of_row(const LOCAL_PTR float4* a, const LOCAL_PTR float4* b, float* p) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const float4 x = a[i], y = b[i];
    p[4 * i] = x.x * y.x;
    p[4 * i + 1] = x.y * y.y;
    p[4 * i + 2] = x.z * y.z;
    p[4 * i + 3] = x.w * y.w;
  }
}

// The key of the thread's pixel of the rows whose sums are in `discs`; there is none before row `top`.
OCTAVO_INLINE void measure_pixel_of_thread(const LOCAL_PTR float4* discs, int top, int first, int width, int height,
                                           GLOBAL int* keys, int key_stride) {
  const int x = group_id_x * 4 * measure_quads + local_id_x % (4 * measure_quads);
  const int y = first + local_id_x / (4 * measure_quads);
  if (local_id_x < measure_step * 4 * measure_quads && y >= top && x < width && y < height) {
    const LOCAL_PTR float* at = (const LOCAL_PTR float*)discs + local_id_x;
    float m[measure_pairs];
    OCTAVO_UNROLL for (int i = 0; i < measure_pairs; ++i) m[i] = at[4 * disc_quads * i];
    keys[(int64_t)y * key_stride + x] = measure_key(m, 8);
  }
}

// For 8 directions and a window of 7 pixels. groups: ⌈width/28⌉ × ⌈height/measure_rows⌉ of the measured region, whose
// responses begin 3 pixels above and to the left of it; their rows may be read 44 floats beyond the region's.
//
// A group walks down a strip, seven rows of responses at a time. Seven threads have a pair of directions, four columns
// each: a thread sums the products of a row over 3, 5 and 7 pixels, and keeps the sums of the last rows in registers,
// at the row's number modulo 7, until the rows of a disc are complete. Then the group measures the pixels of these
// discs.
KERNEL LAUNCH_BOUNDS(measure_threads, 2) void measure_8(const GLOBAL float* responses, int64_t planes, int stride,
                                                        int width, int height, GLOBAL int* keys, int key_stride) {
  await_previous_kernel();
  LOCAL float4 tile[staged];
  LOCAL float4 discs[measure_pairs * disc_quads];
  const int top = group_row * measure_rows, quad = local_id_x % measure_quads, pair = local_id_x / measure_quads;
  int a = 0, b = pair < measure_pairs ? pair : 0;
  while (b >= 8 - a) {
    b -= 8 - a;
    ++a;
  }
  const LOCAL_PTR float4* of_a = tile + a * staged_plane + quad;
  const LOCAL_PTR float4* of_b = tile + (a + b) * staged_plane + quad;
  float three[7][4], five[7][4], seven[7][4];
#pragma unroll
  for (int i = 0; i < 7 * 4; ++i) three[i / 4][i % 4] = five[i / 4][i % 4] = seven[i / 4][i % 4] = 0;
  for (int step = 0; step <= measure_steps; ++step) {
    const bool walks = step < measure_steps;
    const int first = top + step * measure_step, second_quad = local_id_x + measure_threads;
    float4 next0, next1;  // the load takes longer than the measure
    if (walks) next0 = staged_quad(responses, planes, stride, local_id_x, first, height + 6);
    if (walks && second_quad < staged) next1 = staged_quad(responses, planes, stride, second_quad, first, height + 6);
    measure_pixel_of_thread(discs, top, first - measure_step - 6, width, height, keys, key_stride);
    if (walks) tile[local_id_x] = next0;
    if (walks && second_quad < staged) tile[second_quad] = next1;
    local_barrier();
    if (walks && pair < measure_pairs) {
#pragma unroll
      for (int j = 0; j < measure_step; ++j) {
        float p[12], sum[4];
        products_of_row(of_a + j * staged_quads, of_b + j * staged_quads, p);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          three[j][i] = (p[i + 2] + p[i + 4]) + p[i + 3];
          five[j][i] = three[j][i] + (p[i + 1] + p[i + 5]);
          seven[j][i] = five[j][i] + (p[i] + p[i + 6]);
          sum[i] = three[(j + 1) % 7][i] + three[j][i];
          sum[i] = sum[i] + (five[(j + 2) % 7][i] + five[(j + 6) % 7][i]);
          sum[i] = sum[i] + (seven[(j + 3) % 7][i] + seven[(j + 5) % 7][i]);
          sum[i] = sum[i] + seven[(j + 4) % 7][i];
        }
        discs[pair * disc_quads + j * measure_quads + quad] = make_float4(sum[0], sum[1], sum[2], sum[3]);
      }
    }
    local_barrier();
  }
}

// For any number of directions and any window. groups: ⌈width/64⌉ × height of the measured region, whose responses
// begin window/2 pixels above and to the left of it.
KERNEL WORK_GROUP_SIZE(measure_any_threads) void measure_any(const GLOBAL float* responses, int64_t planes, int stride,
                                                             int width, int height, int directions, int window,
                                                             GLOBAL int* keys, int key_stride) {
  await_previous_kernel();
  const int x = group_id_x * measure_any_threads + local_id_x, reach = window / 2;
  if (x >= width || group_row >= height) return;
  const GLOBAL float* centre = responses + (int64_t)(group_row + reach) * stride + x + reach;
  float m[most_directions * (most_directions + 1) / 2];
  int pair = 0;
  for (int a = 0; a < directions; ++a) {
    for (int b = a; b < directions; ++b) {
      const GLOBAL float* p = centre + a * planes;
      const GLOBAL float* q = centre + b * planes;
      float total = 0;
      for (int i = reach; i >= 0; --i) {
        const int extent = disc_half_width(i, window);
        float both_rows = 0;
        for (int side = 0; side < (i > 0 ? 2 : 1); ++side) {
          const int64_t row = (int64_t)(side == 0 ? -i : i) * stride;
          float sum = (p[row - 1] * q[row - 1] + p[row + 1] * q[row + 1]) + p[row] * q[row];
          for (int j = 2; j <= extent; ++j) sum = sum + (p[row - j] * q[row - j] + p[row + j] * q[row + j]);
          both_rows = side == 0 ? sum : both_rows + sum;
        }
        total = i == reach ? both_rows : total + both_rows;
      }
      m[pair] = total;
      ++pair;
    }
  }
  keys[(int64_t)group_row * key_stride + x] = measure_key(m, directions);
}

// The candidates of a list, whose first word is their number.
OCTAVO_INLINE GLOBAL FoagddCandidate* items_of(GLOBAL uint* list) { return (GLOBAL FoagddCandidate*)list + 1; }

// Adds the pixel to the list if no key around it is higher.
OCTAVO_INLINE void add_candidate(const GLOBAL int* keys, int key_stride, int x, int y, int capacity,
                                 GLOBAL uint* list) {
  const GLOBAL int* at = keys + (int64_t)y * key_stride + x;
  const int key = at[0];
  int highest = 0;
  for (int i = -suppression_reach; i <= suppression_reach; ++i) {
    for (int j = -suppression_reach; j <= suppression_reach; ++j) {
      highest = max_int(highest, at[(int64_t)i * key_stride + j]);
    }
  }
  if (key < highest) return;
  const uint place = atomic_add_global(list, 1);
  if (place >= (uint)capacity) return;
  FoagddCandidate candidate;
  candidate.row = y + measured_border;
  candidate.column = x + measured_border;
  candidate.key = key;
  candidate.stands = 1;
  items_of(list)[place] = candidate;
}

// groups: ⌈width/(find_pixels·find_threads)⌉ × (height − 2·suppression_reach) of the measured region. The mask's rows
// are as long as the image's.
KERNEL WORK_GROUP_SIZE(find_threads) void find(const GLOBAL int* keys, int key_stride, int width, int height,
                                               int threshold, int has_mask, const GLOBAL uchar* mask, int mask_stride,
                                               int capacity, GLOBAL uint* list) {
  await_previous_kernel();
  const int first = group_id_x * find_pixels * find_threads + local_id_x, y = group_row + suppression_reach;
  if (y >= height - suppression_reach) return;
  bool above[find_pixels];
#pragma unroll
  for (int i = 0; i < find_pixels; ++i) {
    const int x = first + i * find_threads;
    const bool is_inside = x >= suppression_reach && x < width - suppression_reach;
    above[i] = is_inside && keys[(int64_t)y * key_stride + x] > threshold;
  }
#pragma unroll
  for (int i = 0; i < find_pixels; ++i) {
    const int x = first + i * find_threads;
    if (above[i] && (has_mask == 0 || mask[(int64_t)(y + measured_border) * mask_stride + x + measured_border] != 0)) {
      add_candidate(keys, key_stride, x, y, capacity, list);
    }
  }
}

// The sum over the disc of the products of two directions, from the responses of a square of `window` pixels a side.
OCTAVO_INLINE float sum_in_square(const LOCAL_PTR float* p, const LOCAL_PTR float* q, int window) {
  const int reach = window / 2;
  float total = 0;
  for (int i = reach; i >= 0; --i) {
    const int extent = disc_half_width(i, window);
    float both_rows = 0;
    for (int side = 0; side < (i > 0 ? 2 : 1); ++side) {
      const int c = ((side == 0 ? -i : i) + reach) * window + reach;
      float sum = (p[c - 1] * q[c - 1] + p[c + 1] * q[c + 1]) + p[c] * q[c];
      for (int j = 2; j <= extent; ++j) sum = sum + (p[c - j] * q[c - j] + p[c + j] * q[c + j]);
      both_rows = side == 0 ? sum : both_rows + sum;
    }
    total = i == reach ? both_rows : total + both_rows;
  }
  return total;
}

// Tiles hold float4, quads: of margins that the farthest taps and their run lie in, and of a row of respond's.
enum {
  margin_quads = (farthest_tap + 3) / 4,
  respond_pitch = respond_side / 4 + 2 * margin_quads,
  most_taps = farthest_tap * (farthest_tap + 2)
};

// The kernels of filters: for 8 directions, then for any number.
#define NAMED(name) name##_8
#define FIXED_DIRECTIONS 8
#include "engine/foagdd/directions_kernels.cl.h"
#undef NAMED
#undef FIXED_DIRECTIONS
#define NAMED(name) name##_any
#define FIXED_DIRECTIONS 0
#include "engine/foagdd/directions_kernels.cl.h"

#include "engine/foagdd/describe_kernels.cl.h"
