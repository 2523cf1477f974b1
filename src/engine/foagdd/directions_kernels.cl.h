// FOAGDD's kernels that filter. Included by foagdd_kernels.cl.h more than once, each time with
//   FIXED_DIRECTIONS  the number of directions, 8, for which loops are unrolled and sums stay in registers; or 0: any
//   NAMED(name)       the name of a function, type or kernel for these directions

// Sums of either kind that a pixel has at most.
#define PARTS ((FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS : most_directions) / 2)

// The candidates that a group of verify has at a time, and the pixels of their windows' sides, at most.
#define AT_ONCE (FIXED_DIRECTIONS > 0 ? 2 : 1)
#define SIDE (FIXED_DIRECTIONS > 0 ? 7 : largest_window)

#define TAPS(name) NAMED(name##_in_local)
#define WEIGHTS LOCAL_PTR
#include "engine/foagdd/taps.cl.h"
#undef TAPS
#undef WEIGHTS
#define TAPS(name) NAMED(name)
#define WEIGHTS GLOBAL
#include "engine/foagdd/taps.cl.h"
#undef TAPS
#undef WEIGHTS

// groups: ⌈width/respond_side⌉ × ⌈height/respond_side⌉ of the region whose pixel (0, 0) is the extended image's
// (origin, origin). `planes` [float] apart. A thread has a quad.
KERNEL LAUNCH_BOUNDS(respond_threads, 3) void NAMED(respond)(const GLOBAL float* extended, int extended_stride,
                                                             int extended_width, int extended_height, int origin,
                                                             const FoagddFilterShape f, const GLOBAL FoagddRun* runs,
                                                             const GLOBAL float* weights, GLOBAL float* responses,
                                                             int64_t planes, int stride, int width, int height) {
  await_previous_kernel();
  LOCAL float4 tile[respond_pitch * (respond_side + 2 * farthest_tap)];
  LOCAL float4 weight_quads[most_taps * PARTS / 2];  // a read serves all threads
  LOCAL_PTR float* const weights_in_local = (LOCAL_PTR float*)weight_quads;
  const int left = origin + group_id_x * respond_side - 4 * margin_quads;
  const int top = origin + group_row * respond_side - f.radius;
  for (int item = local_id_x; item < 4 * respond_pitch * (respond_side + 2 * f.radius); item += respond_threads) {
    const int y = item / (4 * respond_pitch), x = item % (4 * respond_pitch);
    const int row = top + y < extended_height ? top + y : extended_height - 1;
    const int column = left + x < extended_width ? left + x : extended_width - 1;
    ((LOCAL_PTR float*)tile)[item] = extended[(int64_t)row * extended_stride + column];
  }
  const int k = FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS : f.directions;
  for (int i = local_id_x; i < f.taps * k; i += respond_threads) weights_in_local[i] = weights[i];
  local_barrier();
  const int quad = local_id_x % (respond_side / 4), row = local_id_x / (respond_side / 4);
  const int x = group_id_x * respond_side + 4 * quad, y = group_row * respond_side + row;
  if (x >= width || y >= height) return;
  float odd[4 * PARTS], even[4 * PARTS];
  NAMED(add_taps_in_local)
  (tile + (row + f.radius) * respond_pitch + margin_quads + quad, respond_pitch, f, k, runs, weights_in_local, odd,
   even);
  GLOBAL float* out = responses + (int64_t)y * stride + x;
  OCTAVO_UNROLL for (int d = 0; d < k; ++d) {
    store4_global(out + d * planes,
                  make_float4(response_of(odd, even, k, d), response_of(odd + PARTS, even + PARTS, k, d),
                              response_of(odd + 2 * PARTS, even + 2 * PARTS, k, d),
                              response_of(odd + 3 * PARTS, even + 3 * PARTS, k, d)));
  }
}

// The pixels of a window and around it, `width` by `height`, those of a thread: columns, of which it reads many rows at
// once, or each would be waited for.
OCTAVO_INLINE void NAMED(load_window)(const GLOBAL float* pixels, int stride, int width, int height, int thread,
                                      int threads, int pitch, LOCAL_PTR float* tile) {
  for (int x = thread; x < width; x += threads) {
#pragma unroll 16
    for (int y = 0; y < height; ++y) tile[y * pitch + x] = pixels[(int64_t)y * stride + x];
  }
}

// The responses of the pixels of a window, `across` quads by `window` rows, whose tile has `pitch` quads a row.
// `centre` is their first quad. `thread` is one of `threads`.
OCTAVO_INLINE void NAMED(respond_in_window)(const LOCAL_PTR float4* centre, int pitch, int across, int window,
                                            int thread, int threads, const FoagddFilterShape f, int k,
                                            const GLOBAL FoagddRun* runs, const GLOBAL float* weights,
                                            LOCAL_PTR float* responses) {
  for (int item = thread; item < across * window; item += threads) {
    const int y = item / across, quad = item - y * across;
    float odd[4 * PARTS], even[4 * PARTS];
    NAMED(add_taps)(centre + y * pitch + quad, pitch, f, k, runs, weights, odd, even);
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      if (4 * quad + n >= window) continue;
      OCTAVO_UNROLL for (int d = 0; d < k; ++d) {
        responses[d * window * window + y * window + 4 * quad + n] =
            response_of(odd + n * PARTS, even + n * PARTS, k, d);
      }
    }
  }
}

// The sums of products of a pair of directions after the other, those of a thread.
OCTAVO_INLINE void NAMED(sum_products)(const LOCAL_PTR float* responses, int k, int window, int thread, int threads,
                                       LOCAL_PTR float* matrix) {
  const int square = window * window;
  for (int pair = thread; pair < k * (k + 1) / 2; pair += threads) {
    int a = 0, b = pair;
    while (b >= k - a) {
      b -= k - a;
      ++a;
    }
    matrix[pair] = sum_in_square(responses + a * square, responses + (a + b) * square, window);
  }
}

// groups: any number; each takes its share of the candidates, AT_ONCE at a time, through the `scales` filters, whose
// farthest tap is `radius` pixels off, until one rejects it. verify_8 has a window of 7 pixels.
KERNEL WORK_GROUP_SIZE(verify_threads) void NAMED(verify)(const GLOBAL float* extended, int extended_stride,
                                                          const GLOBAL FoagddFilterShape* filters, int scales,
                                                          int radius, const GLOBAL FoagddRun* runs,
                                                          const GLOBAL float* weights, int window_of_any, int threshold,
                                                          int capacity, GLOBAL uint* list) {
  await_previous_kernel();
  enum {
    threads = verify_threads / AT_ONCE,
    tile_quads = ((SIDE + 3) / 4 + 2 * margin_quads) * (SIDE + 2 * farthest_tap),
    pairs = PARTS * (2 * PARTS + 1)  // of directions
  };
  LOCAL float4 tiles[AT_ONCE * tile_quads];
  LOCAL float all_responses[AT_ONCE * 2 * PARTS * SIDE * SIDE];
  LOCAL float matrices[AT_ONCE * pairs];
  const int own = local_id_x / threads, thread = local_id_x % threads;
  LOCAL_PTR float4* const tile = tiles + own * tile_quads;
  LOCAL_PTR float* const responses = all_responses + own * 2 * PARTS * SIDE * SIDE;
  LOCAL_PTR float* const matrix = matrices + own * pairs;
  const int k = FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS : filters[0].directions;
  const int window = FIXED_DIRECTIONS > 0 ? SIDE : window_of_any;
  const int reach = window / 2, across = (window + 3) / 4;
  const int pitch = across + 2 * margin_quads, rows = window + 2 * radius;
  const int total = list[0] < (uint)capacity ? (int)list[0] : capacity;
  GLOBAL FoagddCandidate* const candidates = items_of(list);
  for (int first = group_id_x * AT_ONCE; first < total; first += num_groups_x * AT_ONCE) {
    const bool is_one = first + own < total;
    const int c = is_one ? first + own : total - 1;
    const int top = candidates[c].row + extended_margin - reach - radius;
    const int left = candidates[c].column + extended_margin - reach - radius;
    if (is_one) {
      NAMED(load_window)
      (extended + (int64_t)top * extended_stride + left, extended_stride, 4 * across + 2 * radius, rows, thread,
       threads, 4 * pitch, (LOCAL_PTR float*)tile + 4 * margin_quads - radius);
    }
    local_barrier();
    bool stands = is_one;
    for (int scale = 0; scale < scales; ++scale) {
      const FoagddFilterShape f = filters[scale];
      if (stands) {
        NAMED(respond_in_window)
        (tile + radius * pitch + margin_quads, pitch, across, window, thread, threads, f, k, runs + f.first_run,
         weights + f.first_tap * k, responses);
      }
      local_barrier();
      if (stands) NAMED(sum_products)(responses, k, window, thread, threads, matrix);
      local_barrier();
      if (stands) {
        float m[pairs];
        for (int i = 0; i < k * (k + 1) / 2; ++i) m[i] = matrix[i];
        stands = measure_key(m, k) > threshold;
      }
    }
    if (thread == 0 && is_one && !stands) candidates[c].stands = 0;
  }
}

#undef PARTS
#undef AT_ONCE
#undef SIDE
