// FOAGDD on a GPU.
//
//   extend    the image in grey, with what lies around it
//   respond   K planes of responses, from a tile in shared memory; four pixels a thread share each tap's weights
//   measure   keys: for one pair of directions after the other a group adds products along rows, then down columns
//   find      candidates, to a list in any order
//   verify    a work-group per candidate: the responses around it at a larger scale, and their measure
//
// With 8 directions (and a window of 7 pixels) the loops over directions are unrolled and their sums stay in registers;
// other numbers take the kernels named _any. The host sorts the list: places are unique.

// The words come before what is written in them.
// clang-format off
#include "maths/kernel_words.h"
#include "scale_space/pixel_maths.h"
#include "scale_space/grey.cl.h"
#include "foagdd/foagdd_layout.h"
#include "foagdd/foagdd_maths.h"
// clang-format on

// As filters.h lays it out.
typedef struct FoagddTap {
  integer down, right;
} FoagddTap;

// groups: ⌈(width + 2 margins)/256⌉ × (height + 2 margins). The list of candidates becomes empty.
KERNEL THREADS(256) void extend(const GLOBAL octet* image, wide image_stride, integer channels, integer sample_bytes,
                                real red, real green, real blue, real single, integer width, integer height,
                                GLOBAL real* out, integer stride, GLOBAL word* list) {
  await_previous_kernel();
  const integer x = group_x * 256 + thread_x;
  if (x == 0 && group_y == 0) list[0] = 0;
  if (x >= width + 2 * extended_margin) return;
  const integer column = extended_index(x - extended_margin, width);
  const integer row = extended_index(group_y - extended_margin, height);
  real value = 0;
  if (row >= 0 && column >= 0) {
    value = grey_of(image + (wide)row * image_stride, column, channels, sample_bytes, red, green, blue, single);
  }
  out[(wide)group_y * stride + x] = value;
}

OCTAVO_INLINE void load_eight(const GLOBAL real* from, real* eight) {
  const real4 low = load4_global(from), high = load4_global(from + 4);
  eight[0] = low.x;
  eight[1] = low.y;
  eight[2] = low.z;
  eight[3] = low.w;
  eight[4] = high.x;
  eight[5] = high.y;
  eight[6] = high.z;
  eight[7] = high.w;
}

// Adds up the taps around `pixels` pixels, `apart` floats from one to the next. Each has `parts` sums of either kind.
// LOAD_WEIGHTS makes w the K weights of the tap at `weight`.
#define ADD_TAPS(NAME, LOAD_WEIGHTS)                                                                               \
  OCTAVO_INLINE void NAME(const SHARED_POINTER real* centre, integer pitch, const FoagddFilterShape f, integer k,  \
                          const GLOBAL FoagddTap* taps, const GLOBAL real* weights, integer pixels, integer apart, \
                          integer parts, real* odd, real* even) {                                                  \
    const integer odd_parts = (k + 1) / 2, even_parts = k / 2;                                                     \
    OCTAVO_UNROLL for (integer i = 0; i < pixels * parts; ++i) odd[i] = even[i] = 0;                               \
    const GLOBAL real* weight = weights;                                                                           \
    for (integer t = 0; t < f.below; ++t, weight += k) {                                                           \
      LOAD_WEIGHTS;                                                                                                \
      const integer step = taps[t].down * pitch;                                                                   \
      OCTAVO_UNROLL for (integer n = 0; n < pixels; ++n) {                                                         \
        const SHARED_POINTER real* at = centre + n * apart;                                                        \
        const real fold = at[step] - at[-step];                                                                    \
        OCTAVO_UNROLL for (integer i = 0; i < odd_parts; ++i) {                                                    \
          odd[n * parts + i] = fused(w[i], fold, odd[n * parts + i]);                                              \
        }                                                                                                          \
      }                                                                                                            \
    }                                                                                                              \
    for (integer t = f.below; t < f.below + f.aside; ++t, weight += k) {                                           \
      LOAD_WEIGHTS;                                                                                                \
      const integer step = taps[t].right;                                                                          \
      OCTAVO_UNROLL for (integer n = 0; n < pixels; ++n) {                                                         \
        const SHARED_POINTER real* at = centre + n * apart;                                                        \
        const real fold = at[step] - at[-step];                                                                    \
        OCTAVO_UNROLL for (integer i = 0; i < even_parts; ++i) {                                                   \
          even[n * parts + i] = fused(w[odd_parts + i], fold, even[n * parts + i]);                                \
        }                                                                                                          \
      }                                                                                                            \
    }                                                                                                              \
    for (integer t = f.below + f.aside; t < f.taps; ++t, weight += k) {                                            \
      LOAD_WEIGHTS;                                                                                                \
      const FoagddTap tap = taps[t];                                                                               \
      const integer ahead = tap.down * pitch + tap.right, back = tap.down * pitch - tap.right;                     \
      OCTAVO_UNROLL for (integer n = 0; n < pixels; ++n) {                                                         \
        const SHARED_POINTER real* at = centre + n * apart;                                                        \
        const real forward = at[ahead] - at[-ahead], backward = at[back] - at[-back];                              \
        const real sum = forward + backward, difference = forward - backward;                                      \
        OCTAVO_UNROLL for (integer i = 0; i < odd_parts; ++i) {                                                    \
          odd[n * parts + i] = fused(w[i], sum, odd[n * parts + i]);                                               \
        }                                                                                                          \
        OCTAVO_UNROLL for (integer i = 0; i < even_parts; ++i) {                                                   \
          even[n * parts + i] = fused(w[odd_parts + i], difference, even[n * parts + i]);                          \
        }                                                                                                          \
      }                                                                                                            \
    }                                                                                                              \
  }

// A load each would take most of the time of the units that load.
ADD_TAPS(add_taps_8, real w[8]; load_eight(weight, w))
ADD_TAPS(add_taps_any, const GLOBAL real* w = weight)

// The response in direction d from the sums of one pixel.
OCTAVO_INLINE real response_of(const real* odd, const real* even, integer k, integer d) {
  if (d == 0) return absolute(odd[0]);
  if (2 * d == k) return absolute(even[d - 1]);
  return 2 * d < k ? absolute(odd[d] + even[d - 1]) : absolute(odd[k - d] - even[k - d - 1]);
}

// A tile of respond: 32×32 pixels and the farthest taps around it.
#define RESPOND_SIDE 32
#define RESPOND_PITCH (RESPOND_SIDE + 30)

// groups: ⌈width/32⌉ × ⌈height/32⌉ of the region whose pixel (0, 0) is the extended image's (origin, origin). `planes`
// [float] apart. A thread has the pixels of every eighth row, PIXELS at a time.
#define RESPOND_KERNEL(NAME, ADD, FIXED, PARTS, PIXELS)                                                                \
  KERNEL THREADS_AND_GROUPS(256, 4) void NAME(                                                                         \
      const GLOBAL real* extended, integer extended_stride, integer extended_width, integer extended_height,           \
      integer origin, const FoagddFilterShape f, const GLOBAL FoagddTap* taps, const GLOBAL real* weights,             \
      GLOBAL real* responses, wide planes, integer stride, integer width, integer height) {                            \
    await_previous_kernel();                                                                                           \
    SHARED real tile[RESPOND_PITCH * RESPOND_PITCH];                                                                   \
    const integer side = RESPOND_SIDE + 2 * f.radius;                                                                  \
    const integer left = origin + group_x * RESPOND_SIDE - f.radius, top = origin + group_y * RESPOND_SIDE - f.radius; \
    for (integer item = thread_x; item < side * side; item += 256) {                                                   \
      const integer y = item / side, x = item - y * side;                                                              \
      const integer row = top + y < extended_height ? top + y : extended_height - 1;                                   \
      const integer column = left + x < extended_width ? left + x : extended_width - 1;                                \
      tile[y * RESPOND_PITCH + x] = extended[(wide)row * extended_stride + column];                                    \
    }                                                                                                                  \
    barrier_of_group();                                                                                                \
    const integer k = FIXED > 0 ? FIXED : f.directions;                                                                \
    const integer x = group_x * RESPOND_SIDE + thread_x % 32;                                                          \
    for (integer first = thread_x / 32; first < RESPOND_SIDE; first += 8 * PIXELS) {                                   \
      real odd[PARTS * PIXELS], even[PARTS * PIXELS];                                                                  \
      ADD(tile + (first + f.radius) * RESPOND_PITCH + thread_x % 32 + f.radius, RESPOND_PITCH, f, k, taps, weights,    \
          PIXELS, 8 * RESPOND_PITCH, PARTS, odd, even);                                                                \
      OCTAVO_UNROLL for (integer n = 0; n < PIXELS; ++n) {                                                             \
        const integer y = group_y * RESPOND_SIDE + first + 8 * n;                                                      \
        if (x >= width || y >= height) continue;                                                                       \
        GLOBAL real* out = responses + (wide)y * stride + x;                                                           \
        OCTAVO_UNROLL for (integer d = 0; d < k; ++d) {                                                                \
          out[d * planes] = response_of(odd + n * PARTS, even + n * PARTS, k, d);                                      \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }

RESPOND_KERNEL(respond_8, add_taps_8, 8, 4, 4)
RESPOND_KERNEL(respond_any, add_taps_any, 0, 8, 1)

// The tile of measure_8: 32×16 pixels, one a thread. With two a thread, and so twice the registers, one group would
// fill a multiprocessor, and nobody would work while it waits at a barrier.
#define MEASURE_SIDE 32
#define MEASURE_HEIGHT 16
#define MEASURE_ROWS (MEASURE_HEIGHT + 6)
#define MEASURE_SUMS (MEASURE_ROWS * MEASURE_SIDE)

OCTAVO_INLINE void load_ten(const GLOBAL real* from, real* ten) {
  const real4 low = load4_global(from), middle = load4_global(from + 4), high = load4_global(from + 8);
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

// Sums of products along a row, over 3, 5 and 7 pixels, for four pixels side by side: from ten of each response.
OCTAVO_INLINE void sum_along_row(const real* a, const GLOBAL real* response, SHARED_POINTER real* sums) {
  real p[10];
  load_ten(response, p);
  OCTAVO_UNROLL for (integer i = 0; i < 10; ++i) p[i] = a[i] * p[i];
  OCTAVO_UNROLL for (integer i = 0; i < 4; ++i) {
    const real three = (p[i + 2] + p[i + 4]) + p[i + 3], five = three + (p[i + 1] + p[i + 5]);
    sums[i] = three;
    sums[MEASURE_SUMS + i] = five;
    sums[2 * MEASURE_SUMS + i] = five + (p[i] + p[i + 6]);
  }
}

// The sum over the disc of 7 pixels, from the sums along rows; `at` is that of the top row.
OCTAVO_INLINE real sum_of_disc(const SHARED_POINTER real* at) {
  const SHARED_POINTER real* five = at + MEASURE_SUMS;
  const SHARED_POINTER real* seven = at + 2 * MEASURE_SUMS;
  real sum = at[0] + at[6 * MEASURE_SIDE];
  sum = sum + (five[MEASURE_SIDE] + five[5 * MEASURE_SIDE]);
  sum = sum + (seven[2 * MEASURE_SIDE] + seven[4 * MEASURE_SIDE]);
  return sum + seven[3 * MEASURE_SIDE];
}

// For 8 directions and a window of 7 pixels. groups: ⌈width/32⌉ × ⌈height/16⌉ of the measured region, whose responses
// begin 3 pixels above and to the left of it; their rows may be read 44 floats beyond the region's. Of the two sets of
// sums one is written while the other is read, so a pair of directions costs one barrier.
KERNEL THREADS_AND_GROUPS(512, 2) void measure_8(const GLOBAL real* responses, wide planes, integer stride,
                                                 integer width, integer height, GLOBAL integer* keys,
                                                 integer key_stride) {
  await_previous_kernel();
  SHARED real4 sets[2 * 3 * MEASURE_SUMS / 4];
  SHARED_POINTER real* sums = (SHARED_POINTER real*)sets;
  const integer item_row = thread_x / 8, item_column = thread_x % 8 * 4;
  const truth adds = item_row < MEASURE_ROWS;
  const integer top = group_y * MEASURE_HEIGHT, row = top + item_row < height + 6 ? top + item_row : height + 5;
  const GLOBAL real* from = responses + (wide)row * stride + group_x * MEASURE_SIDE + item_column;
  const integer x = thread_x % 32, y = thread_x / 32;
  real m[36];
  integer pair = 0;
  OCTAVO_UNROLL for (integer a = 0; a < 8; ++a) {
    real mine[10];
    if (adds) {
      load_ten(from + a * planes, mine);
    }
    OCTAVO_UNROLL for (integer b = a; b < 8; ++b) {
      SHARED_POINTER real* set = sums + (pair & 1) * 3 * MEASURE_SUMS;
      if (adds) sum_along_row(mine, from + b * planes, set + item_row * MEASURE_SIDE + item_column);
      barrier_of_group();
      m[pair] = sum_of_disc(set + y * MEASURE_SIDE + x);
      ++pair;
    }
  }
  const integer out_x = group_x * MEASURE_SIDE + x, out_y = top + y;
  if (out_x < width && out_y < height) keys[(wide)out_y * key_stride + out_x] = measure_key(m, 8);
}

// For any number of directions and any window. groups: ⌈width/64⌉ × height of the measured region, whose responses
// begin window/2 pixels above and to the left of it.
KERNEL THREADS(64) void measure_any(const GLOBAL real* responses, wide planes, integer stride, integer width,
                                    integer directions, integer window, GLOBAL integer* keys, integer key_stride) {
  await_previous_kernel();
  const integer x = group_x * 64 + thread_x, reach = window / 2;
  if (x >= width) return;
  const GLOBAL real* centre = responses + (wide)(group_y + reach) * stride + x + reach;
  real m[136];
  integer pair = 0;
  for (integer a = 0; a < directions; ++a) {
    for (integer b = a; b < directions; ++b) {
      const GLOBAL real* p = centre + a * planes;
      const GLOBAL real* q = centre + b * planes;
      real total = 0;
      for (integer i = reach; i >= 0; --i) {
        const integer extent = disc_half_width(i, window);
        real both_rows = 0;
        for (integer side = 0; side < (i > 0 ? 2 : 1); ++side) {
          const wide row = (wide)(side == 0 ? -i : i) * stride;
          real sum = (p[row - 1] * q[row - 1] + p[row + 1] * q[row + 1]) + p[row] * q[row];
          for (integer j = 2; j <= extent; ++j) sum = sum + (p[row - j] * q[row - j] + p[row + j] * q[row + j]);
          both_rows = side == 0 ? sum : both_rows + sum;
        }
        total = i == reach ? both_rows : total + both_rows;
      }
      m[pair] = total;
      ++pair;
    }
  }
  keys[(wide)group_y * key_stride + x] = measure_key(m, directions);
}

// The candidates of a list, whose first word is their number.
OCTAVO_INLINE GLOBAL FoagddCandidate* items_of(GLOBAL word* list) { return (GLOBAL FoagddCandidate*)list + 1; }

// groups: ⌈width/256⌉ × (height − 2·suppression_reach) of the measured region. The mask's rows are as long as the
// image's.
KERNEL THREADS(256) void find(const GLOBAL integer* keys, integer key_stride, integer width, integer threshold,
                              integer has_mask, const GLOBAL octet* mask, integer mask_stride, integer capacity,
                              GLOBAL word* list) {
  await_previous_kernel();
  const integer x = group_x * 256 + thread_x, y = group_y + suppression_reach;
  if (x < suppression_reach || x >= width - suppression_reach) return;
  const GLOBAL integer* at = keys + (wide)y * key_stride + x;
  const integer key = at[0];
  if (key <= threshold) return;
  integer highest = 0;
  for (integer i = -suppression_reach; i <= suppression_reach; ++i) {
    for (integer j = -suppression_reach; j <= suppression_reach; ++j) {
      highest = larger(highest, at[(wide)i * key_stride + j]);
    }
  }
  if (key < highest) return;
  if (has_mask != 0 && mask[(wide)(y + measured_border) * mask_stride + x + measured_border] == 0) return;
  const word place = add_global(list, 1);
  if (place >= (word)capacity) return;
  FoagddCandidate candidate;
  candidate.row = y + measured_border;
  candidate.column = x + measured_border;
  candidate.key = key;
  candidate.stands = 1;
  items_of(list)[place] = candidate;
}

// The sum over the disc of the products of two directions, from the responses of a square of `window` pixels a side.
OCTAVO_INLINE real sum_in_square(const SHARED_POINTER real* p, const SHARED_POINTER real* q, integer window) {
  const integer reach = window / 2;
  real total = 0;
  for (integer i = reach; i >= 0; --i) {
    const integer extent = disc_half_width(i, window);
    real both_rows = 0;
    for (integer side = 0; side < (i > 0 ? 2 : 1); ++side) {
      const integer c = ((side == 0 ? -i : i) + reach) * window + reach;
      real sum = (p[c - 1] * q[c - 1] + p[c + 1] * q[c + 1]) + p[c] * q[c];
      for (integer j = 2; j <= extent; ++j) sum = sum + (p[c - j] * q[c - j] + p[c + j] * q[c + j]);
      both_rows = side == 0 ? sum : both_rows + sum;
    }
    total = i == reach ? both_rows : total + both_rows;
  }
  return total;
}

#define VERIFY_PITCH (11 + 30)

// groups: any number.
#define VERIFY_KERNEL(NAME, ADD, FIXED, PARTS)                                                                        \
  KERNEL THREADS(64) void NAME(const GLOBAL real* extended, integer extended_stride, const FoagddFilterShape f,       \
                               const GLOBAL FoagddTap* taps, const GLOBAL real* weights, integer window,              \
                               integer threshold, integer capacity, GLOBAL word* list) {                              \
    await_previous_kernel();                                                                                          \
    SHARED real tile[VERIFY_PITCH * VERIFY_PITCH];                                                                    \
    SHARED real responses[16 * 121];                                                                                  \
    SHARED real matrix[136];                                                                                          \
    const integer k = FIXED > 0 ? FIXED : f.directions;                                                               \
    const integer reach = window / 2, side = window + 2 * f.radius, square = window * window;                         \
    const integer total = list[0] < (word)capacity ? (integer)list[0] : capacity;                                     \
    GLOBAL FoagddCandidate* const candidates = items_of(list);                                                        \
    for (integer c = group_x; c < total; c += groups_x) {                                                             \
      const FoagddCandidate candidate = candidates[c];                                                                \
      const truth stands = candidate.stands != 0;                                                                     \
      const integer top = candidate.row + extended_margin - reach - f.radius;                                         \
      const integer left = candidate.column + extended_margin - reach - f.radius;                                     \
      for (integer item = thread_x; item < (stands ? side * side : 0); item += 64) {                                  \
        const integer y = item / side, x = item - y * side;                                                           \
        tile[y * VERIFY_PITCH + x] = extended[(wide)(top + y) * extended_stride + left + x];                          \
      }                                                                                                               \
      barrier_of_group();                                                                                             \
      for (integer item = thread_x; item < (stands ? square : 0); item += 64) {                                       \
        const integer y = item / window, x = item - y * window;                                                       \
        real odd[PARTS], even[PARTS];                                                                                 \
        ADD(tile + (y + f.radius) * VERIFY_PITCH + x + f.radius, VERIFY_PITCH, f, k, taps, weights, 1, 0, PARTS, odd, \
            even);                                                                                                    \
        OCTAVO_UNROLL for (integer d = 0; d < k; ++d) responses[d * square + item] = response_of(odd, even, k, d);    \
      }                                                                                                               \
      barrier_of_group();                                                                                             \
      for (integer pair = thread_x; pair < (stands ? k * (k + 1) / 2 : 0); pair += 64) {                              \
        integer a = 0, b = pair;                                                                                      \
        while (b >= k - a) {                                                                                          \
          b -= k - a;                                                                                                 \
          ++a;                                                                                                        \
        }                                                                                                             \
        matrix[pair] = sum_in_square(responses + a * square, responses + (a + b) * square, window);                   \
      }                                                                                                               \
      barrier_of_group();                                                                                             \
      if (thread_x == 0 && stands) {                                                                                  \
        real m[FIXED > 0 ? FIXED * (FIXED + 1) / 2 : 136];                                                            \
        for (integer i = 0; i < k * (k + 1) / 2; ++i) m[i] = matrix[i];                                               \
        if (measure_key(m, k) <= threshold) candidates[c].stands = 0;                                                 \
      }                                                                                                               \
      barrier_of_group();                                                                                             \
    }                                                                                                                 \
  }

VERIFY_KERNEL(verify_8, add_taps_8, 8, 4)
VERIFY_KERNEL(verify_any, add_taps_any, 0, 8)
