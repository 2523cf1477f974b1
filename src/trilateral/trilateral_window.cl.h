// Windows summed on a GPU. After kernel_words.h, trilateral_layout.h and trilateral_maths.h.

/// What the kernels of windows have in common: the plan's tables in shared memory, from −reach to reach (of the disc
/// and the weights of rows only from 0 on), for reaches up to MOST.
#define TRILATERAL_TABLES(MOST)          \
  SHARED real exponents[2 * (MOST) + 1]; \
  SHARED real row_weights[(MOST) + 1];   \
  SHARED integer discs[(MOST) + 1]

#define LOAD_TRILATERAL_TABLES(THREADS_OF_GROUP)                          \
  for (integer i = thread_x; i <= shape.reach; i += (THREADS_OF_GROUP)) { \
    exponents[shape.reach + i] = exponent[i];                             \
    exponents[shape.reach - i] = exponent[i];                             \
    row_weights[i] = row_weight[i];                                       \
    discs[i] = disc[i];                                                   \
  }

/// Adds the taps −before … after of a row of a window to the row's sums `weights` and `differences`, which are declared
/// here. `at` is the scaled image at the row's middle, `plane` what the plane through the pixel is there, down = −gx.
#define SUM_ROW_OF_WINDOW(at, before, after)                                                  \
  real weights = 0, differences = 0;                                                          \
  {                                                                                           \
    real step = to_real(-(before));                                                           \
    for (integer m = -(before); m <= (after); ++m) {                                          \
      const real difference = fused(down, step, (at)[m] - plane);                             \
      const real w = two_to_minus(fused(difference, difference, exponents[shape.reach + m])); \
      weights = weights + w;                                                                  \
      differences = fused(difference, w, differences);                                        \
      step = step + 1.0f;                                                                     \
    }                                                                                         \
  }
