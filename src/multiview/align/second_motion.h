// A second homography that many of the other matches agree with, far from the first: something moved between the two
// images, such as a poster or a train, and the first may be that of it or of the rest.

#pragma once

#include <vector>

#include "octavo/image_view.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// The distinct matches that agree with a second homography: more than 8 + 0.1·n of n, all farther than five thresholds
/// from the first, without those where B shows at the place of the first what A shows, as patterns that repeat do. 0 if
/// there are fewer. `pairs` are those of the homography, which is found.
int second_motion(const RobustModel& homography, const PointPairs& pairs, const ImageView& image_a,
                  const ImageView& image_b, const RobustOptions& robust);

/// Adds the warning of a second motion, unless the homography is not found or there is parallax, which is one too.
void warn_of_second_motion(std::vector<AlignmentWarning>& warnings, const RobustModel& homography,
                           const PointPairs& pairs, const ImageView& image_a, const ImageView& image_b,
                           const RobustOptions& robust);

}  // namespace octavo
