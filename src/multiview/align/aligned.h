// What features of two images are enough for: their matches, the homography and what speaks against it.

#pragma once

#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/align.h"
#include "octavo/multiview/geometry.h"
#include "octavo/progress.h"

namespace octavo {

/// The alignment of two images by features of them. `progress` is told of matches and of the homography.
Alignment aligned(Features a, Features b, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                  const RobustOptions& robust, const ProgressSink& progress);

}  // namespace octavo
