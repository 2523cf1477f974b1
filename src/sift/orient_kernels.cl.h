// Orientations of extrema on a GPU (orientation_maths.h, peak_maths.h). Included by sift_kernels.cl.h.

// Neighbouring pixels vote for the same few bins at once. Several copies of a histogram avoid conflicts.
OCTAVO_CONSTANT int orientation_copies = 8;

// groups: any number; each takes its share of the extrema.
KERNEL WORK_GROUP_SIZE(orient_threads) void orient(const GLOBAL float* pyramid, const GLOBAL OctaveLayout* layout,
                                                   const SiftOfKernel sift, const GLOBAL Oriented* found,
                                                   GLOBAL uint* tallies, GLOBAL Oriented* keypoints) {
  await_previous_kernel();
  LOCAL uint copies[37 * orientation_copies];
  LOCAL int64_t votes[37];
  LOCAL int64_t smooth[36];
  LOCAL int64_t highest_of_six[6];
  LOCAL int64_t peak_votes[36];  // of the peaks, in no order
  LOCAL int peak_bins[36];
  LOCAL float peak_turns[36];  // 2, which is above all others, for those that are not kept
  LOCAL float weights[128];    // of columns and rows −radius … radius
  LOCAL uint peaks[1];
  LOCAL int first[1];  // in the list of keypoints
  const int total = listed(tallies[extrema_counter], sift.extrema_capacity);
  for (int e = group_id_x; e < total; e += num_groups_x) {
    Oriented k = found[e];
    const OctaveLayout o = layout[k.octave];
    // No barrier may depend on an option: upright keypoints have an empty window instead.
    const int radius = radius_of_orientation(k.scale);
    const float factor = window_factor(1.5f * k.scale);
    for (int i = local_id_x; i < 37 * orientation_copies; i += orient_threads) copies[i] = 0;
    if (local_id_x == 0) peaks[0] = 0;
    for (int i = local_id_x; i <= 2 * radius; i += orient_threads)
      weights[i] = window_weight(to_float(i - radius), factor);
    local_barrier();
    const int left = k.extremum.column - radius < 1 ? 1 - k.extremum.column : -radius;
    const int right = k.extremum.column + radius > o.width - 2 ? o.width - 2 - k.extremum.column : radius;
    const int top = k.extremum.row - radius < 1 ? 1 - k.extremum.row : -radius;
    const int last = k.extremum.row + radius > o.height - 2 ? o.height - 2 - k.extremum.row : radius;
    const int bottom = sift.upright != 0 ? top - 1 : last;
    const int across = right - left + 1;
    // Offsets from the extremum fit 32 bits.
    const GLOBAL float* centre = computed_once(pyramid + o.first + k.extremum.layer * o.level_floats +
                                               (int64_t)k.extremum.row * o.stride + k.extremum.column);
    LOCAL_PTR uint* copy = copies + (local_id_x & (orientation_copies - 1));
    int dx = left + local_id_x, dy = top;
    while (dx > right) {
      dx -= across;
      ++dy;
    }
    while (dy <= bottom) {
      const int at = dy * o.stride + dx;
      const float weight = weights[radius + dy] * 1048576.0f * weights[radius + dx];
      const Vote vote =
          orientation_vote(centre[at + 1] - centre[at - 1], centre[at + o.stride] - centre[at - o.stride], weight);
      atomic_add_local(copy + vote.bin * orientation_copies, (uint)vote.count);
      dx += orient_threads;
      while (dx > right) {
        dx -= across;
        ++dy;
      }
    }
    local_barrier();
    // A thread per bin: smoothed votes, then whether it is a peak; then a thread per peak, its place among the peaks.
    if (local_id_x < 37) {
      int64_t sum = 0;
      for (int i = 0; i < orientation_copies; ++i) sum += copies[local_id_x * orientation_copies + i];
      votes[local_id_x] = sum;
    }
    local_barrier();
    if (local_id_x < 36) {
      const int64_t seam = votes[36];
      int64_t around[5];
      for (int i = 0; i < 5; ++i) {
        const int b = (local_id_x + 34 + i) % 36;
        around[i] = votes[b] + (b == 0 ? seam : 0);
      }
      smooth[local_id_x] = smoothed_votes(around[0], around[1], around[2], around[3], around[4]);
    }
    local_barrier();
    if (local_id_x < 6) {
      int64_t highest = 0;
      for (int i = 6 * local_id_x; i < 6 * local_id_x + 6; ++i) highest = smooth[i] > highest ? smooth[i] : highest;
      highest_of_six[local_id_x] = highest;
    }
    local_barrier();
    const int bin = local_id_x < 36 ? local_id_x : 0;
    int64_t highest = highest_of_six[0];
    for (int i = 1; i < 6; ++i) highest = highest_of_six[i] > highest ? highest_of_six[i] : highest;
    if (local_id_x < 36 && is_peak(smooth[(bin + 35) % 36], smooth[bin], smooth[(bin + 1) % 36], highest)) {
      const uint place = atomic_add_local(peaks, 1);
      peak_votes[place] = smooth[bin];
      peak_bins[place] = bin;
    }
    local_barrier();
    const int peak_count = sift.upright != 0 ? 1 : (int)peaks[0];
    float turns = 2.0f;
    if (local_id_x < peak_count) {
      if (sift.upright != 0) {
        turns = 0;
      } else {
        const int64_t here = peak_votes[local_id_x];
        const int peak = peak_bins[local_id_x];
        int higher = 0;
        for (int i = 0; i < peak_count; ++i) {
          higher += peak_votes[i] > here || (peak_votes[i] == here && peak_bins[i] < peak) ? 1 : 0;
        }
        if (higher < sift.max_orientations) {
          turns = turns_of_peak(peak, smooth[(peak + 35) % 36], here, smooth[(peak + 1) % 36]);
        }
      }
      peak_turns[local_id_x] = turns;
    }
    local_barrier();
    int smaller = 0, count = 0;
    if (local_id_x < peak_count) {
      for (int i = 0; i < peak_count; ++i) {
        smaller += peak_turns[i] < turns ? 1 : 0;
        count += peak_turns[i] < 2.0f ? 1 : 0;
      }
      if (local_id_x == 0) {
        first[0] = (int)atomic_add_global(tallies + keypoint_counter, (uint)count);
        const int row = row_of_keypoint(layout, k);
        for (int level = 0; level < 3; ++level) {
          atomic_add_global(tallies + sift.row_counts_at[level] + (row >> (row_count_shift * level)), (uint)count);
        }
      }
    }
    local_barrier();
    const int slot = first[0] + smaller;
    if (turns < 2.0f && slot < sift.keypoint_capacity) {
      k.turns = turns;
      keypoints[slot] = k;
    }
    local_barrier();
  }
}
