#pragma once

#include <cstddef>
#include <span>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace OCTAVO_API octavo {

/// Moves keypoints of B to where B shows what A shows at their partners. The patch around A's keypoint, 7 σ wide in
/// its own frame, is found again in B from B's keypoint on, by an affinity with gain and offset (Lucas and Kanade,
/// 1981; Baker and Matthews, IJCV 2004). Detectors place the same point of a scene a few tenths of a pixel apart in two
/// images; this leaves about a third of that. Scale, orientation and ellipse stay. A keypoint stays where it is if it
/// has several matches or no scale, if it would move by more than 1.5 σ, and if the patches do not become alike
/// (correlation 0.8). The result does not depend on threads. Returns the number of those that are moved. Throws
/// Error(invalid_argument) for an invalid image and a match whose index is out of range.
std::size_t refine_matches(const ImageView& image_a, const Features& a, const ImageView& image_b, Features& b,
                           std::span<const Match> matches);

}  // namespace octavo
