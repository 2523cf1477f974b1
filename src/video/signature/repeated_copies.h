// Candidates that show the same part. A still camera makes frames match at all offsets, but best at the true one.

#pragma once

#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/compared_frames.h"
#include "video/signature/copy_candidates.h"

namespace octavo {

/// The segments that are left, best first, without those and the parts of those that another explains better.
std::vector<CopySegment> without_repetitions(ComparedFrames& clips, const CopyOptions& options,
                                             std::vector<CopyCandidate> candidates);

}  // namespace octavo
