// FOAGDD on a GPU.
//
//   extend    the image in grey, with what lies around it
//   respond   K planes of responses, from a tile in local memory; four pixels a thread share each tap's weights
//   measure   keys: for one pair of directions after the other a group adds products along rows, then down columns
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

// groups: ⌈(width + 2 margins)/256⌉ × (height + 2 margins). Grey is rounded to whole numbers if
// `rounds` is 1. The list of candidates becomes empty.
KERNEL WORK_GROUP_SIZE(extend_threads) void extend(const GLOBAL uchar* image, int64_t image_stride, int channels,
                                                   int red_at, int sample_bytes, float red, float green, float blue,
                                                   float single, int rounds, int width, int height, GLOBAL float* out,
                                                   int stride, GLOBAL uint* list) {
  await_previous_kernel();
  const int x = group_id_x * extend_threads + local_id_x;
  if (x == 0 && group_row == 0) list[0] = 0;
  if (x >= width + 2 * extended_margin || group_row >= height + 2 * extended_margin) return;
  const int column = extended_index(x - extended_margin, width);
  const int row = extended_index(group_row - extended_margin, height);
  float value = 0;
  if (row >= 0 && column >= 0) {
    value =
        grey_of(image + (int64_t)row * image_stride, column, channels, red_at, sample_bytes, red, green, blue, single);
    if (rounds != 0) value = round_to_float(value);
  }
  out[(int64_t)group_row * stride + x] = value;
}

OCTAVO_INLINE void load_eight(const GLOBAL float* from, float* eight) {
  const float4 low = load4_global(from), high = load4_global(from + 4);
  eight[0] = low.x;
  eight[1] = low.y;
  eight[2] = low.z;
  eight[3] = low.w;
  eight[4] = high.x;
  eight[5] = high.y;
  eight[6] = high.z;
  eight[7] = high.w;
}

// The response in direction d from the sums of one pixel.
OCTAVO_INLINE float response_of(const float* odd, const float* even, int k, int d) {
  if (d == 0) return fabs(odd[0]);
  if (2 * d == k) return fabs(even[d - 1]);
  return 2 * d < k ? fabs(odd[d] + even[d - 1]) : fabs(odd[k - d] - even[k - d - 1]);
}

// For measure_8: rows of sums, and the sums of a set. With two pixels per thread, and so twice the registers, one group
// would fill a multiprocessor, which would be idle while the group waits at a barrier.
enum { sum_rows = measure_rows + 6, sums_of_set = sum_rows * measure_columns };

OCTAVO_INLINE void load_ten(const GLOBAL float* from, float* ten) {
  const float4 low = load4_global(from), middle = load4_global(from + 4), high = load4_global(from + 8);
  ten[0] = low.x;
  ten[1] = low.y;
  ten[2] = low.z;
  ten[3] = low.w;
  ten[4] = middle.x;
  ten[5] = middle.y;
  ten[6] = middle.z;
  ten[7] = middle.w;
  ten[8] = high.x;
  ten[9] = high.y;
}

// Sums of products along a row, over 3, 5 and 7 pixels, for four adjacent pixels, from ten pixels of each response.
OCTAVO_INLINE void sum_along_row(const float* a, const GLOBAL float* response, LOCAL_PTR float* sums) {
  float p[10];
  load_ten(response, p);
  OCTAVO_UNROLL for (int i = 0; i < 10; ++i) p[i] = a[i] * p[i];
  OCTAVO_UNROLL for (int i = 0; i < 4; ++i) {
    const float three = (p[i + 2] + p[i + 4]) + p[i + 3], five = three + (p[i + 1] + p[i + 5]);
    sums[i] = three;
    sums[sums_of_set + i] = five;
    sums[2 * sums_of_set + i] = five + (p[i] + p[i + 6]);
  }
}

// The sum over the disc of 7 pixels, from the sums along rows; `at` is that of the top row.
OCTAVO_INLINE float sum_of_disc(const LOCAL_PTR float* at) {
  const LOCAL_PTR float* five = at + sums_of_set;
  const LOCAL_PTR float* seven = at + 2 * sums_of_set;
  float sum = at[0] + at[6 * measure_columns];
  sum = sum + (five[measure_columns] + five[5 * measure_columns]);
  sum = sum + (seven[2 * measure_columns] + seven[4 * measure_columns]);
  return sum + seven[3 * measure_columns];
}

// The number of a pair of 8 directions, a ≤ b.
OCTAVO_INLINE int number_of_pair(int a, int b) { return a * (15 - a) / 2 + b; }

// For 8 directions and a window of 7 pixels. groups: ⌈width/32⌉ × ⌈height/16⌉ of the measured region, whose responses
// begin 3 pixels above and to the left of it; their rows may be read 44 floats beyond the region's. There are
// fewer rows than threads, so each half of the group adds up rows for 18 pairs of its own: those of directions 0, 1, 6
// and 7, and those of 2 to 5, with the directions from there on. Of the sets of sums two are written while the others
// are read, so two pairs cost one barrier.
KERNEL LAUNCH_BOUNDS(measure_threads, 2) void measure_8(const GLOBAL float* responses, int64_t planes, int stride,
                                                        int width, int height, GLOBAL int* keys, int key_stride) {
  await_previous_kernel();
  LOCAL float4 sets[4 * 3 * sums_of_set / 4];
  LOCAL_PTR float* sums = (LOCAL_PTR float*)sets;
  const bool is_second = local_id_x >= measure_threads / 2;  // half of the group
  const int item = local_id_x % (measure_threads / 2);
  const int item_row = item / 8, item_column = item % 8 * 4;
  const bool adds = item_row < sum_rows;
  const int top = group_row * measure_rows, row = top + item_row < height + 6 ? top + item_row : height + 5;
  const GLOBAL float* from = responses + (int64_t)row * stride + group_id_x * measure_columns + item_column;
  const int x = local_id_x % 32, y = local_id_x / 32;
  float m[36], mine[10];
  int a0 = 0, b0 = 0, a1 = 2, b1 = 2;
  OCTAVO_UNROLL for (int i = 0; i < 18; ++i) {
    LOCAL_PTR float* set = sums + (i & 1) * 6 * sums_of_set;
    if (adds) {
      const int a = is_second ? a1 : a0, b = is_second ? b1 : b0;
      if (a == b) load_ten(from + a * planes, mine);
      sum_along_row(mine, from + b * planes,
                    set + (is_second ? 3 * sums_of_set : 0) + item_row * measure_columns + item_column);
    }
    local_barrier();
    m[number_of_pair(a0, b0)] = sum_of_disc(set + y * measure_columns + x);
    m[number_of_pair(a1, b1)] = sum_of_disc(set + 3 * sums_of_set + y * measure_columns + x);
    if (++b0 == 8) b0 = a0 = a0 == 1 ? 6 : a0 + 1;
    if (++b1 == 8) b1 = ++a1;
  }
  const int out_x = group_id_x * measure_columns + x, out_y = top + y;
  if (out_x < width && out_y < height) keys[(int64_t)out_y * key_stride + out_x] = measure_key(m, 8);
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

// groups: ⌈width/256⌉ × (height − 2·suppression_reach) of the measured region. The mask's rows are as long as the
// image's.
KERNEL WORK_GROUP_SIZE(find_threads) void find(const GLOBAL int* keys, int key_stride, int width, int height,
                                               int threshold, int has_mask, const GLOBAL uchar* mask, int mask_stride,
                                               int capacity, GLOBAL uint* list) {
  await_previous_kernel();
  const int x = group_id_x * find_threads + local_id_x, y = group_row + suppression_reach;
  if (x < suppression_reach || x >= width - suppression_reach || y >= height - suppression_reach) return;
  const GLOBAL int* at = keys + (int64_t)y * key_stride + x;
  const int key = at[0];
  if (key <= threshold) return;
  int highest = 0;
  for (int i = -suppression_reach; i <= suppression_reach; ++i) {
    for (int j = -suppression_reach; j <= suppression_reach; ++j) {
      highest = max_int(highest, at[(int64_t)i * key_stride + j]);
    }
  }
  if (key < highest) return;
  if (has_mask != 0 && mask[(int64_t)(y + measured_border) * mask_stride + x + measured_border] == 0) return;
  const uint place = atomic_add_global(list, 1);
  if (place >= (uint)capacity) return;
  FoagddCandidate candidate;
  candidate.row = y + measured_border;
  candidate.column = x + measured_border;
  candidate.key = key;
  candidate.stands = 1;
  items_of(list)[place] = candidate;
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

// Floats from row to row of the tiles of respond and verify, which hold the farthest taps around what is filtered; and
// the pairs of directions.
enum {
  respond_pitch = respond_side + 2 * farthest_tap,
  verify_pitch = largest_window + 2 * farthest_tap,
  most_pairs = most_directions * (most_directions + 1) / 2
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
