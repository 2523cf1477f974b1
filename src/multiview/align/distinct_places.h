#pragma once

#include "octavo/multiview/geometry.h"

namespace octavo {

/// The number of places of pairs: cells of 6 pixels, in the image that has fewer of them. Keypoints of one place at
/// several scales, and with several orientations, count once.
int distinct_places(const PointPairs& pairs);

/// Takes a homography of four places back: these agree with one of their own, whatever they are, and prove none.
void require_a_fifth_place(RobustModel& homography, const PointPairs& pairs);

}  // namespace octavo
