// The ends of a still: how long each of two clips shows one image.

#pragma once

#include <optional>

#include "octavo/video/copy_segment.h"
#include "video/signature/frame_cells.h"

namespace octavo {

/// The frames around both ends of the span of a clip.
struct StillWindows {
  const CellWindow &in, &out;
};

/// The segment with the ends that the images before and after its own tell. None if the clips do not show the same
/// image: most of what has texture must correlate.
std::optional<CopySegment> refined_still(const CopySegment& coarse, const CellGrid& grid, const StillWindows& query,
                                         const StillWindows& other);

}  // namespace octavo
