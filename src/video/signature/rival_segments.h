// Segments of two clips that show the same moment of one of them, of which one may be false. A clip may show a scene
// twice; but frames of a slow scene are also nearly the same a little later, where the scale, or what moves, differs.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/segment_end.h"

namespace octavo {

/// A moment of one clip for which two segments give two times of the other.
struct SharedMoment {
  std::size_t segment = 0, better = 0;  ///< indices; the better one has more inliers
  SegmentEnd::Times of_segment, of_better;
};

/// For each segment of which a better one shows most in either clip: the middle of what both show, once for each such
/// clip and better segment. Stills, copies that shake, and those that run backwards have none.
std::vector<SharedMoment> shared_moments(std::span<const CopySegment> segments);

/// The frames of a segment around a moment: as of an end that begins there.
struct MomentOfSegment {
  SegmentEnd frames;
  double speed = 1;
};

/// Whether the better segment explains the moment, and this one does not: its frames correlate far less, or what moves
/// in them moves differently.
bool is_explained_better(const MomentOfSegment& segment, const MomentOfSegment& better);

}  // namespace octavo
