// The sums of a quad's taps. Included by directions_kernels.cl.h more than once, each time with
//   WEIGHTS     the address space of the weights
//   TAPS(name)  the name of a function or type for these weights

// The weights of a tap, for every direction.
#if FIXED_DIRECTIONS == 8
typedef struct TAPS(Weights) {
  float of[8];
} TAPS(Weights);

// One load for each would take most of the time of the load units.
OCTAVO_INLINE TAPS(Weights) TAPS(weights_at)(const WEIGHTS float* at) {
  TAPS(Weights) w;
  split_quad(*(const WEIGHTS float4*)at, w.of);
  split_quad(*(const WEIGHTS float4*)(at + 4), w.of + 4);
  return w;
}
#else
typedef struct TAPS(Weights) {
  const WEIGHTS float* of;
} TAPS(Weights);

OCTAVO_INLINE TAPS(Weights) TAPS(weights_at)(const WEIGHTS float* at) {
  TAPS(Weights) w;
  w.of = at;
  return w;
}
#endif

// Adds `count` quadruples that follow each other to the sums of a quad.
OCTAVO_INLINE void TAPS(add_quadruples)(const float* right_below, const float* left_below, const float* right_above,
                                        const float* left_above, int count, int k, const WEIGHTS float* weights,
                                        float* odd, float* even) {
#pragma unroll
  for (int t = 0; t < count; ++t) {
    const TAPS(Weights) w = TAPS(weights_at)(weights + t * k);
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const float forward = right_below[1 + t + n] - left_above[3 - t + n];
      const float backward = left_below[3 - t + n] - right_above[1 + t + n];
      const float sum = forward + backward, difference = forward - backward;
      OCTAVO_UNROLL for (int i = 0; i < (k + 1) / 2; ++i) {
        odd[n * PARTS + i] = fma(w.of[i], sum, odd[n * PARTS + i]);
      }
      OCTAVO_UNROLL for (int i = 0; i < k / 2; ++i) {
        even[n * PARTS + i] = fma(w.of[(k + 1) / 2 + i], difference, even[n * PARTS + i]);
      }
    }
  }
}

// Adds up the taps around the four pixels of a quad; `pitch` quads from row to row. Each pixel has PARTS sums of either
// kind. Taps that follow each other along a row read the same pixels but one, so a run reads them once.
OCTAVO_INLINE void TAPS(add_taps)(const LOCAL_PTR float4* centre, int pitch, const FoagddFilterShape f, int k,
                                  const GLOBAL FoagddRun* runs, const WEIGHTS float* weights, float* odd, float* even) {
  OCTAVO_UNROLL for (int i = 0; i < 4 * PARTS; ++i) odd[i] = even[i] = 0;
  const WEIGHTS float* weight = weights;
  for (int r = 0; r < f.below; ++r, weight += k) {
    const TAPS(Weights) w = TAPS(weights_at)(weight);
    float below[4], above[4];
    split_quad(centre[runs[r].down * pitch], below);
    split_quad(centre[-runs[r].down * pitch], above);
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const float fold = below[n] - above[n];
      OCTAVO_UNROLL for (int i = 0; i < (k + 1) / 2; ++i) {
        odd[n * PARTS + i] = fma(w.of[i], fold, odd[n * PARTS + i]);
      }
    }
  }
  for (int r = f.below; r < f.below + f.aside; ++r) {
    const FoagddRun run = runs[r];
    float right[8], left[8];
    load_quads(centre + run.quads, right);
    load_quads(centre - run.quads - 1, left);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      if (t >= run.count) continue;
      const TAPS(Weights) w = TAPS(weights_at)(weight);
      weight += k;
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const float fold = right[1 + t + n] - left[3 - t + n];
        OCTAVO_UNROLL for (int i = 0; i < k / 2; ++i) {
          even[n * PARTS + i] = fma(w.of[(k + 1) / 2 + i], fold, even[n * PARTS + i]);
        }
      }
    }
  }
  for (int r = f.below + f.aside; r < f.runs; ++r) {
    const FoagddRun run = runs[r];
    const LOCAL_PTR float4* below = centre + run.down * pitch;
    const LOCAL_PTR float4* above = centre - run.down * pitch;
    float right_below[8], left_below[8], right_above[8], left_above[8];
    load_quads(below + run.quads, right_below);
    load_quads(below - run.quads - 1, left_below);
    load_quads(above + run.quads, right_above);
    load_quads(above - run.quads - 1, left_above);
    // Counts that the compiler knows let it load the weights ahead.
    if (run.count == 4) {
      TAPS(add_quadruples)(right_below, left_below, right_above, left_above, 4, k, weight, odd, even);
    } else if (run.count == 3) {
      TAPS(add_quadruples)(right_below, left_below, right_above, left_above, 3, k, weight, odd, even);
    } else if (run.count == 2) {
      TAPS(add_quadruples)(right_below, left_below, right_above, left_above, 2, k, weight, odd, even);
    } else {
      TAPS(add_quadruples)(right_below, left_below, right_above, left_above, 1, k, weight, odd, even);
    }
    weight += run.count * k;
  }
}
