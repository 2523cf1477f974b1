// SIFT on a GPU, from the Gaussian pyramid to descriptors in canonical order, without asking the host in between.
//
//   extrema   grid points where the difference of Gaussians is extreme
//   refine…   moves them to where they settle, and tests them, with the last image of the octave where it is needed; a
//             bitmap of grid points keeps each one once
//   keep…     if there is a budget for the whole image: the extrema that it may keep
//   fit…      if keypoints are ellipses: a work-group per extremum
//   orient…   a work-group per extremum: histogram of directions, peaks; every orientation makes a keypoint
//   place     keypoints to their rows of pixels; counts of rows, and of spans of rows, say where a row begins
//   rank      each keypoint's place in canonical order: rows are sorted already, so only a row and its neighbours count
//   select…   if there is a budget: the keys of those that stay, digit by digit; they move together, in order
//   describe… a work-group per keypoint: 128 sums of votes, then bytes
//
// Lists grow by atomic counters. If a list is full, the counter continues: the host reads the number that is missing,
// makes room and runs again. Votes are integers, and ranks depend on values alone, so the order of threads does not
// matter.

// The primitives must come before the code that uses them.
// clang-format off
#include "engine/maths/kernel_primitives.h"
#include "engine/maths/functions.h"
#include "engine/scale_space/pyramid_layout.h"
#include "engine/scale_space/mirrored.cl.h"
#include "engine/sift/extremum_limits.h"
#include "engine/sift/refinement_maths.h"
#include "engine/sift/window_maths.h"
#include "engine/sift/peak_maths.h"
#include "engine/sift/frame_maths.h"
#include "engine/sift/descriptor_maths.h"
#include "engine/sift/affine_maths.h"
#include "engine/sift/orientation_maths.h"
#include "engine/sift/bytes_maths.h"
#include "engine/extract/selection_maths.h"
#include "engine/sift/sift_records.h"
#include "engine/sift/pooling_records.h"
#include "engine/sift/affine_records.h"
#include "engine/extract/selection_records.h"
// clang-format on

typedef CandidateRecord Candidate;
typedef PlaceRecord Place;
typedef ExtremumRecord Extremum;
typedef ShapeRecord Shape;
typedef OrientedRecord Oriented;
typedef KeypointRecord Keypoint;

// The number of counted items that are on the list.
OCTAVO_INLINE int listed(uint counted, int capacity) { return counted < (uint)capacity ? (int)counted : capacity; }

// The number of keypoints in canonical order. It is 0 if the list was full, since the host then runs again with more
// room.
OCTAVO_INLINE int in_order(int keypoint_capacity, const GLOBAL uint* tallies) {
  const uint counted = tallies[keypoint_counter];
  return counted > (uint)keypoint_capacity ? 0 : (int)counted;
}

OCTAVO_INLINE int row_of_keypoint(const GLOBAL OctaveLayout* layout, const Oriented k) {
  const GLOBAL OctaveLayout* o = layout + k.octave;
  return o->first_row + (k.extremum.layer - 1) * o->height + k.extremum.row;
}

// The kernels use the definitions above.
// clang-format off
#include "engine/sift/pooling_maths.h"
#include "engine/sift/window_steps.h"
#include "engine/sift/shape_maths.h"
#include "engine/sift/extrema_kernels.cl.h"
#include "engine/extract/select_kernels.cl.h"
#include "engine/sift/window_kernels.cl.h"
#include "engine/sift/best_kernels.cl.h"
#include "engine/sift/refine_kernels.cl.h"
#include "engine/sift/shape_kernels.cl.h"
#include "engine/sift/orient_kernels.cl.h"
#include "engine/sift/order_kernels.cl.h"
#include "engine/sift/describe_kernels.cl.h"
// clang-format on
