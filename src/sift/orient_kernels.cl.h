// Orientations of extrema on a GPU (orientation_maths.h, peak_maths.h). Included by sift_kernels.cl.h.

// Neighbouring pixels vote for the same few bins at once: several copies of a histogram let them.
OCTAVO_CONSTANT int orientation_copies = 8;

// groups: any number; each takes its share of the extrema.
KERNEL THREADS(64) void orient(const GLOBAL real* pyramid, const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                               const GLOBAL Oriented* found, GLOBAL word* tallies, GLOBAL Oriented* keypoints) {
  await_previous_kernel();
  SHARED word copies[37 * orientation_copies];
  SHARED wide votes[37];
  SHARED wide smooth[36];
  SHARED wide highest_of_six[6];
  SHARED wide peak_votes[36];  // of the peaks, in no order
  SHARED integer peak_bins[36];
  SHARED real peak_turns[36];  // 2, which is beyond all, for those that are not kept
  SHARED real weights[128];    // of columns and rows −radius … radius
  SHARED word peaks[1];
  SHARED integer first[1];  // in the list of keypoints
  const integer total = listed(tallies[extrema_counter], sift.extrema_capacity);
  for (integer e = group_x; e < total; e += groups_x) {
    Oriented k = found[e];
    const OctaveLayout o = layout[k.octave];
    // No barrier may depend on an option: upright keypoints have an empty window instead.
    const integer radius = radius_of_orientation(k.scale);
    const real factor = window_factor(constant(1.5f) * k.scale);
    for (integer i = thread_x; i < 37 * orientation_copies; i += 64) copies[i] = 0;
    if (thread_x == 0) peaks[0] = 0;
    for (integer i = thread_x; i <= 2 * radius; i += 64) weights[i] = window_weight(to_real(i - radius), factor);
    barrier_of_group();
    const integer left = k.extremum.column - radius < 1 ? 1 - k.extremum.column : -radius;
    const integer right = k.extremum.column + radius > o.width - 2 ? o.width - 2 - k.extremum.column : radius;
    const integer top = k.extremum.row - radius < 1 ? 1 - k.extremum.row : -radius;
    const integer last = k.extremum.row + radius > o.height - 2 ? o.height - 2 - k.extremum.row : radius;
    const integer bottom = sift.upright != 0 ? top - 1 : last;
    const integer across = right - left + 1;
    // Offsets from the extremum fit 32 bits.
    const GLOBAL real* centre = computed_once(pyramid + o.first + k.extremum.layer * o.level_floats +
                                              (wide)k.extremum.row * o.stride + k.extremum.column);
    SHARED_POINTER word* copy = copies + (thread_x & (orientation_copies - 1));
    integer dx = left + thread_x, dy = top;
    while (dx > right) {
      dx -= across;
      ++dy;
    }
    while (dy <= bottom) {
      const integer at = dy * o.stride + dx;
      const real weight = weights[radius + dy] * constant(1048576.0f) * weights[radius + dx];
      const Vote vote =
          orientation_vote(centre[at + 1] - centre[at - 1], centre[at + o.stride] - centre[at - o.stride], weight);
      add_shared(copy + vote.bin * orientation_copies, (word)vote.count);
      dx += 64;
      while (dx > right) {
        dx -= across;
        ++dy;
      }
    }
    barrier_of_group();
    // A thread per bin: smoothed votes, then whether it is a peak; then a thread per peak, its place among the peaks.
    if (thread_x < 37) {
      wide sum = 0;
      for (integer i = 0; i < orientation_copies; ++i) sum += copies[thread_x * orientation_copies + i];
      votes[thread_x] = sum;
    }
    barrier_of_group();
    if (thread_x < 36) {
      const wide seam = votes[36];
      wide around[5];
      for (integer i = 0; i < 5; ++i) {
        const integer b = (thread_x + 34 + i) % 36;
        around[i] = votes[b] + (b == 0 ? seam : 0);
      }
      smooth[thread_x] = smoothed_votes(around[0], around[1], around[2], around[3], around[4]);
    }
    barrier_of_group();
    if (thread_x < 6) {
      wide highest = 0;
      for (integer i = 6 * thread_x; i < 6 * thread_x + 6; ++i) highest = smooth[i] > highest ? smooth[i] : highest;
      highest_of_six[thread_x] = highest;
    }
    barrier_of_group();
    const integer bin = thread_x < 36 ? thread_x : 0;
    wide highest = highest_of_six[0];
    for (integer i = 1; i < 6; ++i) highest = highest_of_six[i] > highest ? highest_of_six[i] : highest;
    if (thread_x < 36 && is_peak(smooth[(bin + 35) % 36], smooth[bin], smooth[(bin + 1) % 36], highest)) {
      const word place = add_shared(peaks, 1);
      peak_votes[place] = smooth[bin];
      peak_bins[place] = bin;
    }
    barrier_of_group();
    const integer peak_count = sift.upright != 0 ? 1 : (integer)peaks[0];
    real turns = constant(2.0f);
    if (thread_x < peak_count) {
      if (sift.upright != 0) {
        turns = 0;
      } else {
        const wide here = peak_votes[thread_x];
        const integer peak = peak_bins[thread_x];
        integer higher = 0;
        for (integer i = 0; i < peak_count; ++i) {
          higher += peak_votes[i] > here || (peak_votes[i] == here && peak_bins[i] < peak) ? 1 : 0;
        }
        if (higher < sift.max_orientations) {
          turns = turns_of_peak(peak, smooth[(peak + 35) % 36], here, smooth[(peak + 1) % 36]);
        }
      }
      peak_turns[thread_x] = turns;
    }
    barrier_of_group();
    integer smaller = 0, count = 0;
    if (thread_x < peak_count) {
      for (integer i = 0; i < peak_count; ++i) {
        smaller += peak_turns[i] < turns ? 1 : 0;
        count += peak_turns[i] < constant(2.0f) ? 1 : 0;
      }
      if (thread_x == 0) {
        first[0] = (integer)add_global(tallies + keypoint_counter, (word)count);
        const integer row = row_of_keypoint(layout, k);
        for (integer level = 0; level < 3; ++level) {
          add_global(tallies + sift.row_counts_at[level] + (row >> (row_count_shift * level)), (word)count);
        }
      }
    }
    barrier_of_group();
    const integer slot = first[0] + smaller;
    if (turns < constant(2.0f) && slot < sift.keypoint_capacity) {
      k.turns = turns;
      keypoints[slot] = k;
    }
    barrier_of_group();
  }
}
