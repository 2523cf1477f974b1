// Two images of different scenes with one thing in common, such as a parcel or a poster.

#pragma once

#include "multiview/align/meeting.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// Whether the inliers gather in a part of what both images show, and the pixels beside it do not agree, within
/// `threshold` [pixel]. The homography is found.
bool differ_beside_inliers(const TwoViews& views, const Alignment& found, double threshold);

/// Whether the inliers are few, or gather in less than half of what both images show, and most of its pixels do not
/// agree, those among the inliers too: two dialogs of one program with the same row of buttons.
bool differ_mostly(const TwoViews& views, const Alignment& found, double threshold);

}  // namespace octavo
