// The best extrema on a GPU: with a budget for the whole image, extrema that rank behind it need no shape and no
// orientations, since the keypoints of an extremum have its rank. Ranks are counted by the first digit of their keys
// (select_kernels.cl.h), and extrema with the digit of the N-th best, or a greater one, stay: a few more than N. Most
// extrema have a keypoint or more, but not all; if too few keypoints come of this, the host runs again with all
// extrema. Included by sift_kernels.cl.h.

OCTAVO_INLINE uint first_digit_of(const Oriented k, const SiftOfKernel sift) {
  const float scale = k.scale * exp2_int(sift.first_octave + k.octave);
  return key_of_rank(rank_of(sift.rank, fabs(k.extremum.value), scale)) >> bits_after(0);
}

// Counts an extremum of the list, if there is a budget for the whole image. The bins begin all 0.
OCTAVO_INLINE void count_by_digit(const Oriented k, const SiftOfKernel sift, GLOBAL uint* tallies) {
  if (sift.best_bins_at != 0) atomic_add_global(tallies + sift.best_bins_at + first_digit_of(k, sift), 1);
}

// groups: any number. Counts the extrema of another detector.
KERNEL WORK_GROUP_SIZE(select_threads) void count_extrema(const SiftOfKernel sift, GLOBAL uint* tallies,
                                                          const GLOBAL Oriented* found) {
  await_previous_kernel();
  const int total = listed(tallies[extrema_counter], sift.extrema_capacity);
  for (int i = group_id_x * select_threads + local_id_x; i < total; i += num_groups_x * select_threads) {
    count_by_digit(found[i], sift, tallies);
  }
}

// groups: any number. Each finds the digit of the N-th best, and takes its share of the extrema. Windows of so many
// `sizes` that vote for their orientations are made too.
KERNEL WORK_GROUP_SIZE(select_threads) void keep_best_extrema(const GLOBAL OctaveLayout* layout,
                                                              const SiftOfKernel sift, const PoolingRecord pooling,
                                                              int sizes, GLOBAL uint* tallies,
                                                              const GLOBAL Oriented* found, GLOBAL Oriented* best,
                                                              GLOBAL Window* windows) {
  await_previous_kernel();
  LOCAL uint counts[256];
  LOCAL uint sixteens[16];
  LOCAL uint cut[2];
  const int total = listed(tallies[extrema_counter], sift.extrema_capacity);
  const GLOBAL uint* bins = tallies + sift.best_bins_at;
  counts[local_id_x] = count_in_bins(bins);
  if (local_id_x < 2) cut[local_id_x] = 0;  // stays 0 if there are fewer extrema than N
  local_barrier();
  add_sixteens(counts, sixteens);
  local_barrier();
  Cut all;
  all.prefix = 0;
  all.wanted = (uint)sift.budget;
  find_cut(bins, all, sum_before(counts, sixteens), cut);
  local_barrier();
  for (int i = group_id_x * select_threads + local_id_x; i < total; i += num_groups_x * select_threads) {
    const Oriented k = found[i];
    if (first_digit_of(k, sift) < cut[0]) continue;
    const int slot = (int)atomic_add_global(tallies + best_counter, 1);
    best[slot] = k;
    for (int j = 0; j < sizes; ++j) windows[slot * sizes + j] = voting_window(pooling, k, exp2_int(j), layout);
  }
}
