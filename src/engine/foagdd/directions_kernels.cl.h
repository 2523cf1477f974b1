// FOAGDD's kernels that filter. Included by foagdd_kernels.cl.h more than once, each time with
//   FIXED_DIRECTIONS  the number of directions, 8, for which loops are unrolled and sums stay in registers; or 0: any
//   NAMED(name)       the name of a function, type or kernel for these directions

// Sums of either kind that a pixel has at most, and pixels that a thread of respond filters at a time: they share the
// weights.
#define PARTS ((FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS : most_directions) / 2)
#define PIXELS (FIXED_DIRECTIONS > 0 ? 4 : 1)

// The weights of a tap, for every direction.
#if FIXED_DIRECTIONS == 8
typedef struct NAMED(Weights) {
  float of[8];
} NAMED(Weights);

// One load for each would take most of the time of the load units.
OCTAVO_INLINE NAMED(Weights) NAMED(weights_at)(const GLOBAL float* at) {
  NAMED(Weights) w;
  load_eight(at, w.of);
  return w;
}
#else
typedef struct NAMED(Weights) {
  const GLOBAL float* of;
} NAMED(Weights);

OCTAVO_INLINE NAMED(Weights) NAMED(weights_at)(const GLOBAL float* at) {
  NAMED(Weights) w;
  w.of = at;
  return w;
}
#endif

// Adds up the taps around `pixels` pixels, `apart` floats from one to the next. Each has PARTS sums of either kind.
OCTAVO_INLINE void NAMED(add_taps)(const LOCAL_PTR float* centre, int pitch, const FoagddFilterShape f, int k,
                                   const GLOBAL FoagddTap* taps, const GLOBAL float* weights, int pixels, int apart,
                                   float* odd, float* even) {
  const int odd_parts = (k + 1) / 2, even_parts = k / 2;
  OCTAVO_UNROLL for (int i = 0; i < pixels * PARTS; ++i) odd[i] = even[i] = 0;
  const GLOBAL float* weight = weights;
  for (int t = 0; t < f.below; ++t, weight += k) {
    const NAMED(Weights) w = NAMED(weights_at)(weight);
    const int step = taps[t].down * pitch;
    OCTAVO_UNROLL for (int n = 0; n < pixels; ++n) {
      const LOCAL_PTR float* at = centre + n * apart;
      const float fold = at[step] - at[-step];
      OCTAVO_UNROLL for (int i = 0; i < odd_parts; ++i) { odd[n * PARTS + i] = fma(w.of[i], fold, odd[n * PARTS + i]); }
    }
  }
  for (int t = f.below; t < f.below + f.aside; ++t, weight += k) {
    const NAMED(Weights) w = NAMED(weights_at)(weight);
    const int step = taps[t].right;
    OCTAVO_UNROLL for (int n = 0; n < pixels; ++n) {
      const LOCAL_PTR float* at = centre + n * apart;
      const float fold = at[step] - at[-step];
      OCTAVO_UNROLL for (int i = 0; i < even_parts; ++i) {
        even[n * PARTS + i] = fma(w.of[odd_parts + i], fold, even[n * PARTS + i]);
      }
    }
  }
  for (int t = f.below + f.aside; t < f.taps; ++t, weight += k) {
    const NAMED(Weights) w = NAMED(weights_at)(weight);
    const FoagddTap tap = taps[t];
    const int ahead = tap.down * pitch + tap.right, back = tap.down * pitch - tap.right;
    OCTAVO_UNROLL for (int n = 0; n < pixels; ++n) {
      const LOCAL_PTR float* at = centre + n * apart;
      const float forward = at[ahead] - at[-ahead], backward = at[back] - at[-back];
      const float sum = forward + backward, difference = forward - backward;
      OCTAVO_UNROLL for (int i = 0; i < odd_parts; ++i) { odd[n * PARTS + i] = fma(w.of[i], sum, odd[n * PARTS + i]); }
      OCTAVO_UNROLL for (int i = 0; i < even_parts; ++i) {
        even[n * PARTS + i] = fma(w.of[odd_parts + i], difference, even[n * PARTS + i]);
      }
    }
  }
}

// groups: ⌈width/respond_side⌉ × ⌈height/respond_side⌉ of the region whose pixel (0, 0) is the extended image's
// (origin, origin). `planes` [float] apart. A thread has the pixels of every eighth row, PIXELS at a time.
KERNEL LAUNCH_BOUNDS(respond_threads, 4) void NAMED(respond)(const GLOBAL float* extended, int extended_stride,
                                                             int extended_width, int extended_height, int origin,
                                                             const FoagddFilterShape f, const GLOBAL FoagddTap* taps,
                                                             const GLOBAL float* weights, GLOBAL float* responses,
                                                             int64_t planes, int stride, int width, int height) {
  await_previous_kernel();
  LOCAL float tile[respond_pitch * respond_pitch];
  const int side = respond_side + 2 * f.radius;
  const int left = origin + group_id_x * respond_side - f.radius;
  const int top = origin + group_row * respond_side - f.radius;
  for (int item = local_id_x; item < side * side; item += respond_threads) {
    const int y = item / side, x = item - y * side;
    const int row = top + y < extended_height ? top + y : extended_height - 1;
    const int column = left + x < extended_width ? left + x : extended_width - 1;
    tile[y * respond_pitch + x] = extended[(int64_t)row * extended_stride + column];
  }
  local_barrier();
  const int k = FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS : f.directions;
  const int rows = respond_threads / respond_side;
  const int x = group_id_x * respond_side + local_id_x % respond_side;
  for (int first = local_id_x / respond_side; first < respond_side; first += rows * PIXELS) {
    float odd[PARTS * PIXELS], even[PARTS * PIXELS];
    NAMED(add_taps)
    (tile + (first + f.radius) * respond_pitch + local_id_x % respond_side + f.radius, respond_pitch, f, k, taps,
     weights, PIXELS, rows * respond_pitch, odd, even);
    OCTAVO_UNROLL for (int n = 0; n < PIXELS; ++n) {
      const int y = group_row * respond_side + first + rows * n;
      if (x >= width || y >= height) continue;
      GLOBAL float* out = responses + (int64_t)y * stride + x;
      OCTAVO_UNROLL for (int d = 0; d < k; ++d) {
        out[d * planes] = response_of(odd + n * PARTS, even + n * PARTS, k, d);
      }
    }
  }
}

// groups: any number; each takes its share of the candidates.
KERNEL WORK_GROUP_SIZE(verify_threads) void NAMED(verify)(const GLOBAL float* extended, int extended_stride,
                                                          const FoagddFilterShape f, const GLOBAL FoagddTap* taps,
                                                          const GLOBAL float* weights, int window, int threshold,
                                                          int capacity, GLOBAL uint* list) {
  await_previous_kernel();
  LOCAL float tile[verify_pitch * verify_pitch];
  LOCAL float responses[most_directions * largest_window * largest_window];
  LOCAL float matrix[most_pairs];
  const int k = FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS : f.directions;
  const int reach = window / 2, side = window + 2 * f.radius, square = window * window;
  const int total = list[0] < (uint)capacity ? (int)list[0] : capacity;
  GLOBAL FoagddCandidate* const candidates = items_of(list);
  for (int c = group_id_x; c < total; c += num_groups_x) {
    const FoagddCandidate candidate = candidates[c];
    const bool stands = candidate.stands != 0;
    const int top = candidate.row + extended_margin - reach - f.radius;
    const int left = candidate.column + extended_margin - reach - f.radius;
    for (int item = local_id_x; item < (stands ? side * side : 0); item += verify_threads) {
      const int y = item / side, x = item - y * side;
      tile[y * verify_pitch + x] = extended[(int64_t)(top + y) * extended_stride + left + x];
    }
    local_barrier();
    for (int item = local_id_x; item < (stands ? square : 0); item += verify_threads) {
      const int y = item / window, x = item - y * window;
      float odd[PARTS], even[PARTS];
      NAMED(add_taps)
      (tile + (y + f.radius) * verify_pitch + x + f.radius, verify_pitch, f, k, taps, weights, 1, 0, odd, even);
      OCTAVO_UNROLL for (int d = 0; d < k; ++d) responses[d * square + item] = response_of(odd, even, k, d);
    }
    local_barrier();
    for (int pair = local_id_x; pair < (stands ? k * (k + 1) / 2 : 0); pair += verify_threads) {
      int a = 0, b = pair;
      while (b >= k - a) {
        b -= k - a;
        ++a;
      }
      matrix[pair] = sum_in_square(responses + a * square, responses + (a + b) * square, window);
    }
    local_barrier();
    if (local_id_x == 0 && stands) {
      float m[FIXED_DIRECTIONS > 0 ? FIXED_DIRECTIONS * (FIXED_DIRECTIONS + 1) / 2 : most_pairs];
      for (int i = 0; i < k * (k + 1) / 2; ++i) m[i] = matrix[i];
      if (measure_key(m, k) <= threshold) candidates[c].stands = 0;
    }
    local_barrier();
  }
}

#undef PARTS
#undef PIXELS
