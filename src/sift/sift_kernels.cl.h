// SIFT on a GPU, from the Gaussian pyramid to descriptors in canonical order, without asking the host in between.
//
//   extrema   grid points where the difference of Gaussians is extreme
//   refine…   moves them to where they settle, and tests them; a bitmap of grid points keeps each one once
//   orient    a work-group per extremum: histogram of directions, peaks; every orientation makes a keypoint
//   place     keypoints to their rows of pixels; counts of rows, and of spans of rows, say where a row begins
//   rank      each keypoint's place in canonical order: rows are sorted already, so only a row and its neighbours count
//   select…   where there is a budget: the keys of those that stay, digit by digit; they move together, in order
//   describe  a work-group per keypoint: 128 sums of votes, then bytes
//
// Lists grow by atomic counters. Where a list is full the counter goes on: the host sees by how much, makes room and
// runs again. Votes are integers, and ranks depend on values alone, so the order of threads cannot show.

// The words come before what is written in them.
// clang-format off
#include "maths/kernel_words.h"
#include "maths/functions.h"
#include "scale_space/pyramid_layout.h"
#include "sift/extremum_limits.h"
#include "sift/refinement_maths.h"
#include "sift/window_maths.h"
#include "sift/orientation_maths.h"
#include "sift/peak_maths.h"
#include "sift/frame_maths.h"
#include "sift/descriptor_maths.h"
#include "sift/bytes_maths.h"
#include "sift/selection_maths.h"
#include "sift/sift_records.h"
#include "sift/selection_records.h"
// clang-format on

// As extremum.h, oriented.h and keypoint.h lay them out.
typedef struct Extremum {
  integer layer, row, column;
  real layer_offset, row_offset, column_offset;
  real value;
} Extremum;

typedef struct Oriented {
  integer octave;
  Extremum extremum;
  real scale, turns;
} Oriented;

typedef struct Keypoint {
  real x, y, scale, orientation, response;
  integer octave, layer;
} Keypoint;

// A grid point where D is extreme.
typedef struct Candidate {
  integer octave, layer, row, column;
} Candidate;

// Of what was counted, what is on the list.
OCTAVO_INLINE integer listed(word counted, integer capacity) {
  return counted < (word)capacity ? (integer)counted : capacity;
}

// Keypoints in canonical order: none where the list was full, for the host runs again with more room.
OCTAVO_INLINE integer in_order(integer keypoint_capacity, const GLOBAL word* tallies) {
  const word counted = tallies[keypoint_counter];
  return counted > (word)keypoint_capacity ? 0 : (integer)counted;
}

OCTAVO_INLINE integer row_of_keypoint(const GLOBAL OctaveLayout* layout, const Oriented k) {
  const GLOBAL OctaveLayout* o = layout + k.octave;
  return o->first_row + (k.extremum.layer - 1) * o->height + k.extremum.row;
}

// The kernels use what stands above.
// clang-format off
#include "sift/extrema_kernels.cl.h"
#include "sift/orient_kernels.cl.h"
#include "sift/order_kernels.cl.h"
#include "sift/select_kernels.cl.h"
#include "sift/describe_kernels.cl.h"
// clang-format on
