// What the rest of the images says of a homography that enough pairs agree with.

#pragma once

#include "multiview/align/meeting.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// Of the places with keypoints that both images show by this alignment, the share with an inlier; in the image where
/// it is greater. Where it is small, the homography may be that of another plane than the one that fills the images.
double share_with_inliers(const TwoViews& views, const Alignment& found);

/// Adds the warnings that the rest of the images gives reason for: local, watermark. The homography is found, and its
/// other warnings are known. `threshold` [pixel] is that of inliers.
void add_seen_doubts(const TwoViews& views, Alignment& found, double threshold);

}  // namespace octavo
