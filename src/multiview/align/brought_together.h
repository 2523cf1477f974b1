// A homography is tried on the pixels: the image that it compresses is drawn in the frame of the other, where both look
// alike if it is right. Plain features then match near their own places, many more than before, and from these the
// homography follows anew. A wrong homography finds no more matches than chance gives.

#pragma once

#include <array>
#include <optional>

#include "multiview/align/meeting.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// An alignment that matches confirm.
struct Confirmed {
  Alignment alignment;  ///< without warnings; its inliers are those of estimate_coarse_homography
  double radius = 0;    ///< [pixel of the coarser image] matches are at most this far from where a homography put them
};

/// The alignment that a homography leads to; none if matches do not confirm it. `extractor` finds the features of the
/// image that is drawn in the frame of the other; those of the result are in the images, ellipses in the first one.
std::optional<Confirmed> brought_together(Extractor& extractor, const TwoViews& views,
                                          const std::array<double, 9>& b_from_a, const MatchOptions& match,
                                          const DeviceOptions& device, const RobustOptions& robust);

}  // namespace octavo
