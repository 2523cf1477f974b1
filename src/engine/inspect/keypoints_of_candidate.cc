#include "engine/inspect/keypoints_of_candidate.h"

#include <algorithm>
#include <tuple>

#include "engine/core/canonical_order.h"
#include "engine/extract/selection.h"
#include "engine/sift/stages_reference.h"

namespace octavo::inspection {
namespace {

// The number of features at this point.
int keypoints_at(const Keypoint& point, std::span<const Keypoint> features) {
  Keypoint first = point;
  first.orientation = -1;
  int count = 0;
  for (auto k = std::lower_bound(features.begin(), features.end(), first, canonically_before); k != features.end();
       ++k, ++count) {
    if (std::tie(k->octave, k->layer, k->y, k->x) != std::tie(point.octave, point.layer, point.y, point.x)) break;
  }
  return count;
}

CandidateVerdict why_without_keypoint(const PassedPoint& point) {
  if (point.mask && !inside(*point.mask, point.keypoint.x, point.keypoint.y)) return CandidateVerdict::outside_mask;
  if (point.level == nullptr) return CandidateVerdict::over_budget;
  const auto histogram =
      reference::orientation_histogram(*point.level, point.in_octave.extremum, point.in_octave.scale);
  return orientations_of(histogram, 1, 1).count == 0 ? CandidateVerdict::no_orientation : CandidateVerdict::over_budget;
}

}  // namespace

void judge_passed(const PassedPoint& point, std::span<const Keypoint> features, Candidate& candidate) {
  candidate.keypoints = keypoints_at(point.keypoint, features);
  candidate.verdict = candidate.keypoints > 0 ? CandidateVerdict::kept : why_without_keypoint(point);
}

}  // namespace octavo::inspection
