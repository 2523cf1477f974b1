// The head of a kernel of orientations: the tables of a work-group, and the number of extrema. It is included in the
// kernel, since arrays in local memory must be declared there.

await_previous_kernel();
LOCAL uint copies[37 * orientation_copies];
LOCAL int64_t smooth[37];
LOCAL int64_t highest_of_six[6];
LOCAL int64_t peak_votes[36];  // of the peaks, in no order
LOCAL int peak_bins[36];
LOCAL float peak_turns[36];  // 2, which is above all others, for those that are not kept
LOCAL uint peaks[1];
LOCAL int first[1];  // in the list of keypoints
const int total = listed(tallies[sift.list_counter], sift.extrema_capacity);
