// Where a clip shows an image.

#pragma once

#include <span>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/compared_frames.h"

namespace octavo {

/// The times at which a clip shows an image, or the segment of two images, best first; one of both signatures is an
/// image (is_image). Of the options `min_score` counts.
std::vector<CopySegment> shown_images(ComparedFrames& clips, std::span<const FrameHit> hits,
                                      const CopyOptions& options);

}  // namespace octavo
