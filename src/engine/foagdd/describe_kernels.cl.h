// The conversion of corners for SIFT's kernels: to extrema before their orientations, and from keypoints after
// selection. Included by foagdd_kernels.cl.h.

// groups: any number. The corners of a list, whose first word is the number of candidates, become extrema in layer 1 of
// octave 0, without offsets. The value of an extremum is the rank of the corner's response. `tallies` are SIFT's, all
// 0. If there is not enough room for the extrema, their counter continues; the host reads it and the number of
// candidates.
KERNEL WORK_GROUP_SIZE(corner_threads) void corners_to_extrema(GLOBAL uint* list, int list_capacity, float scale,
                                                               int extrema_capacity, GLOBAL uint* tallies,
                                                               GLOBAL OrientedRecord* extrema) {
  await_previous_kernel();
  const int total = list[0] < (uint)list_capacity ? (int)list[0] : list_capacity;
  if (group_id_x == 0 && local_id_x == 0) tallies[point_counter] = list[0];
  const GLOBAL FoagddCandidate* candidates = items_of(list);
  for (int i = group_id_x * corner_threads + local_id_x; i < total; i += num_groups_x * corner_threads) {
    const FoagddCandidate corner = candidates[i];
    if (corner.stands == 0) continue;
    const uint place = atomic_add_global(tallies + extrema_counter, 1);
    if (place >= (uint)extrema_capacity) continue;
    OrientedRecord extremum;
    extremum.octave = 0;
    extremum.extremum.layer = 1;
    extremum.extremum.row = corner.row;
    extremum.extremum.column = corner.column;
    extremum.extremum.layer_offset = extremum.extremum.row_offset = extremum.extremum.column_offset = 0;
    extremum.extremum.value = rank_of_response(response_of_key(corner.key));
    extremum.scale = scale;
    extremum.turns = 0;
    extremum.shape.xx = extremum.shape.yy = 1;
    extremum.shape.xy = 0;
    extrema[place] = extremum;
  }
}

// groups: any number. For all keypoints, but at most `most`: replaces the rank by the response, and sets the layer to
// that of a detector without layers. If the list was full, there are none.
KERNEL WORK_GROUP_SIZE(corner_threads) void extrema_to_corners(const GLOBAL uint* tallies, int keypoint_capacity,
                                                               int most, GLOBAL KeypointRecord* keypoints) {
  await_previous_kernel();
  const uint counted = tallies[keypoint_counter];
  const int all = counted > (uint)keypoint_capacity ? 0 : (int)counted, total = all < most ? all : most;
  for (int i = group_id_x * corner_threads + local_id_x; i < total; i += num_groups_x * corner_threads) {
    keypoints[i].response = response_of_rank(keypoints[i].response);
    keypoints[i].layer = 0;
  }
}
