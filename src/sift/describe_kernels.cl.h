// Descriptors on a GPU (descriptor_maths.h, bytes_maths.h). Included by sift_kernels.cl.h.

// Neighbouring pixels share the same few bins, as in orient.
OCTAVO_CONSTANT int descriptor_copies = 8;

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
OCTAVO_INLINE void make_partial_sum(const SHARED_POINTER real* values, SHARED_POINTER real* sums) {
  if (thread_x >= 32) return;
  real sum = 0;
#pragma unroll
  for (integer i = thread_x; i < 128; i += 32) sum = fused(values[i], values[i], sum);
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

// groups: any number. Describes all keypoints, or `most` of them where there are more.
KERNEL THREADS_AND_GROUPS(128, 10) void describe(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout,
                                                 const SiftOfKernel sift, const GLOBAL word* tallies,
                                                 const GLOBAL Oriented* keypoints, integer most,
                                                 GLOBAL octet* descriptors) {
  await_previous_kernel();
  SHARED real4 zeroed[36 * 9 * descriptor_copies / 4];  // 6×6 cells: the outermost take what falls outside
  SHARED word spans[320];
  SHARED real weights[321];  // of columns and rows −radius … radius
  SHARED real values[128];
  SHARED real sums[32];
  SHARED real total_sum[1];
  SHARED_POINTER word* copies = (SHARED_POINTER word*)zeroed;
  const integer all = in_order(sift.keypoint_capacity, tallies), total = all < most ? all : most;
  for (integer n = group_x; n < total; n += groups_x) {
    const Oriented k = keypoints[n];
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
    for (integer i = thread_x; i < 36 * 9 * descriptor_copies / 4; i += 128) zeroed[i] = four_of(0, 0, 0, 0);
    for (integer i = thread_x; i <= 2 * radius; i += 128) weights[i] = window_weight(to_real(i - radius), factor);
    for (integer i = thread_x; i <= bottom - top; i += 128) {
      spans[i] = span_of_row(to_real(top + i), cosine, sine, over_cosine, over_sine, left, right);
    }
    barrier_of_group();
    // Eight threads a row. Offsets from the centre fit 32 bits.
    const GLOBAL real* centre = computed_once(pyramid + o.first + k.extremum.layer * o.level_floats +
                                              (wide)k.extremum.row * o.stride + k.extremum.column);
    SHARED_POINTER word* copy = copies + (thread_x & (descriptor_copies - 1));
    for (integer i = thread_x >> 3; i <= bottom - top; i += 16) {
      const integer dy = top + i, row_at = dy * o.stride, end = row_at + (integer)(spans[i] >> 16) - 32768;
      const real row_weight = weights[radius + dy] * constant(1048576.0f);
      const real down = to_real(dy);
      const integer first = (integer)(spans[i] & 0xffff) - 32768 + (thread_x & 7);
      const SHARED_POINTER real* column_weight = weights + radius + first;
      real across = to_real(first);
      for (integer at = row_at + first; at <= end; at += 8, across += 8, column_weight += 8) {
        const real column = cell_column(across, down, cosine, sine);
        const real row = cell_row(across, down, cosine, sine);
        if (column > constant(-1.0f) && column < constant(4.0f) && row > constant(-1.0f) && row < constant(4.0f)) {
          const Shares s =
              descriptor_shares(centre[at + 1] - centre[at - 1], centre[at + o.stride] - centre[at - o.stride], column,
                                row, k.turns, row_weight * column_weight[0]);
          SHARED_POINTER word* one = copy + slot_of_shares(s, constant(6.0f), constant(9.0f)) * descriptor_copies;
          const integer next = descriptor_copies, right_cell = 9 * descriptor_copies,
                        next_cells = 54 * descriptor_copies;
          add_shared(one, (word)s.row0_column0_direction0);
          add_shared(one + next, (word)s.row0_column0_direction1);
          add_shared(one + right_cell, (word)s.row0_column1_direction0);
          add_shared(one + right_cell + next, (word)s.row0_column1_direction1);
          add_shared(one + next_cells, (word)s.row1_column0_direction0);
          add_shared(one + next_cells + next, (word)s.row1_column0_direction1);
          add_shared(one + next_cells + right_cell, (word)s.row1_column1_direction0);
          add_shared(one + next_cells + right_cell + next, (word)s.row1_column1_direction1);
        }
      }
    }
    barrier_of_group();
    // Each thread adds up a bin of the 4×4 cells inside; they begin at different copies, to meet in fewer banks.
    // Direction 8 is direction 0.
    const integer inner = thread_x >> 3, direction = thread_x & 7;
    const SHARED_POINTER word* bins = copies + ((inner / 4 + 1) * 6 + inner % 4 + 1) * 9 * descriptor_copies;
    word votes = 0;
    for (integer i = 0; i < descriptor_copies; ++i) {
      const integer here = (thread_x / 4 + i) & (descriptor_copies - 1);
      votes += bins[direction * descriptor_copies + here] + (direction == 0 ? bins[8 * descriptor_copies + here] : 0);
    }
    values[thread_x] = to_real((integer)votes);
    barrier_of_group();
    make_partial_sum(values, sums);
    barrier_of_group();
    if (thread_x < 32) {
      const real sum = tree_sum(sums);
      if (thread_x == 0) total_sum[0] = longest_value(sum);
    }
    barrier_of_group();
    values[thread_x] = minimum(values[thread_x], total_sum[0]);
    barrier_of_group();
    make_partial_sum(values, sums);
    barrier_of_group();
    if (thread_x < 32) {
      const real sum = tree_sum(sums);
      if (thread_x == 0) total_sum[0] = sift_factor(sum);
    }
    barrier_of_group();
    descriptors[(wide)n * 128 + thread_x] = (octet)byte_of(values[thread_x] * total_sum[0]);
    barrier_of_group();
  }
}

// groups: any number. RootSIFT of as many descriptors as there are, but no more than `most`: 32 words of four bytes
// each.
KERNEL THREADS(64) void take_roots(const SiftOfKernel sift, const GLOBAL word* tallies, integer most,
                                   GLOBAL word* descriptors) {
  await_previous_kernel();
  const integer all = in_order(sift.keypoint_capacity, tallies), total = all < most ? all : most;
  for (integer n = group_x * 64 + thread_x; n < total; n += groups_x * 64) {
    GLOBAL word* const four = descriptors + (wide)n * 32;
    integer sum = 0;
    for (integer i = 0; i < 32; ++i) {
      const word bytes = four[i];
      sum += (integer)((bytes & 255) + (bytes >> 8 & 255) + (bytes >> 16 & 255) + (bytes >> 24));
    }
    for (integer i = 0; i < 32; ++i) {
      const word bytes = four[i];
      four[i] = (word)root_of_byte((integer)(bytes & 255), sum) |
                (word)root_of_byte((integer)(bytes >> 8 & 255), sum) << 8 |
                (word)root_of_byte((integer)(bytes >> 16 & 255), sum) << 16 |
                (word)root_of_byte((integer)(bytes >> 24), sum) << 24;
    }
  }
}
