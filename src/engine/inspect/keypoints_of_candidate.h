// What became of a candidate that passed all tests of its detector: its keypoints, or why it has none. The search for
// orientations and the selection are not done again: the features tell.

#pragma once

#include <span>

#include "engine/core/plane.h"
#include "engine/extract/oriented.h"
#include "octavo/image_view.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// A point that passed.
struct PassedPoint {
  Keypoint keypoint;  ///< in pixels of the image
  Oriented in_octave;
  const Plane* level = nullptr;     ///< in which orientations are searched; null if there is no such search
  const ImageView* mask = nullptr;  ///< null if there is none
};

/// Sets the candidate's number of keypoints among the features, which are in canonical order, and its verdict: kept, or
/// the reason why it has none.
void judge_passed(const PassedPoint& point, std::span<const Keypoint> features, Candidate& candidate);

}  // namespace octavo::inspection
