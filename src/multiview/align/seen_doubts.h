// What the rest of the images says of a homography that enough pairs agree with.

#pragma once

#include "multiview/align/meeting.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// Adds the warnings that the rest of the images gives reason for: local, watermark. The homography is found, and its
/// other warnings are known. `threshold` [pixel] is that of inliers.
void add_seen_doubts(const TwoViews& views, Alignment& found, double threshold);

}  // namespace octavo
