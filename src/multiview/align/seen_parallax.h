// Matches off the homography may be of a pattern that repeats, such as equal windows, and of wrong matches. Then A's
// patch there and what B shows where the homography puts it are alike, so that the pixels show no depth.

#pragma once

#include <limits>
#include <opencv2/core.hpp>
#include <span>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// Of these places of A, the number at which B shows, where the homography puts them, what A shows.
int places_shown_alike(std::span<const Point> in_a, const cv::Matx33d& b_from_a, const ImageView& image_a,
                       const ImageView& image_b, double threshold);

/// Takes the warning of parallax back where the pixels show no depth. `pairs` are those of warnings_of, which gave the
/// warnings, and so is `radius`.
void keep_seen_parallax(std::vector<AlignmentWarning>& warnings, const RobustModel& homography, const PointPairs& pairs,
                        const ImageView& image_a, const ImageView& image_b, const RobustOptions& robust,
                        double radius = std::numeric_limits<double>::infinity());

}  // namespace octavo
