// The part of a kernel of orientations after the votes: peaks, and a keypoint for each. It is included inside the loop
// of the kernel, since barriers must be in the kernel itself.

// A thread per bin: smoothed votes, then whether it is a peak; then a thread per peak, its place among the peaks.
if (local_id_x < 37) {
  int64_t sum = 0;
  for (int i = 0; i < orientation_copies; ++i) sum += copies[local_id_x * orientation_copies + i];
  smooth[local_id_x] = sum;
}
local_barrier();
if (local_id_x == 0) smooth[0] += smooth[36];
local_barrier();
for (int pass = 0; pass < smoothings; ++pass) {
  const int b = local_id_x + 36;
  const int64_t smoothed = smoothed_votes(smooth[(b - 2) % 36], smooth[(b - 1) % 36], smooth[b % 36],
                                          smooth[(b + 1) % 36], smooth[(b + 2) % 36]);
  local_barrier();
  if (local_id_x < 36) smooth[local_id_x] = smoothed;
  local_barrier();
}
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
