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

// Adds tap m of a row, whose scaled grey value is `tap`, to the row's sums.
#define ADD_TAP(tap, m)                                                                       \
  {                                                                                           \
    const real difference = fused(down, step, (tap)-plane);                                   \
    const real w = two_to_minus(fused(difference, difference, exponents[shape.reach + (m)])); \
    weights = weights + w;                                                                    \
    differences = fused(difference, w, differences);                                          \
    step = step + 1.0f;                                                                       \
  }

/// Adds the taps −before … after of a row of a window to the row's sums `weights` and `differences`, which are declared
/// here. `at` is the scaled image at the row's middle, `plane` what the plane through the pixel is there, down = −gx.
#define SUM_ROW_OF_WINDOW(at, before, after)                           \
  real weights = 0, differences = 0;                                   \
  {                                                                    \
    real step = to_real(-(before));                                    \
    for (integer m = -(before); m <= (after); ++m) ADD_TAP((at)[m], m) \
  }

/// The same, with four taps loaded before the first of them is added, so that memory is waited for once: faster where
/// that is far away and windows are wide.
#define SUM_ROW_BY_FOURS(at, before, after)                                                    \
  real weights = 0, differences = 0;                                                           \
  {                                                                                            \
    real step = to_real(-(before));                                                            \
    integer m = -(before);                                                                     \
    for (; m + 3 <= (after); m += 4) {                                                         \
      const real tap = (at)[m], tap_1 = (at)[m + 1], tap_2 = (at)[m + 2], tap_3 = (at)[m + 3]; \
      ADD_TAP(tap, m)                                                                          \
      ADD_TAP(tap_1, m + 1)                                                                    \
      ADD_TAP(tap_2, m + 2)                                                                    \
      ADD_TAP(tap_3, m + 3)                                                                    \
    }                                                                                          \
    for (; m <= (after); ++m) ADD_TAP((at)[m], m)                                              \
  }
