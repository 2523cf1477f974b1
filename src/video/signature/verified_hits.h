// Hits whose frames match, as votes for lines in the plane of both times.

#pragma once

#include <span>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/compared_frames.h"
#include "video/signature/time_lines.h"

namespace octavo {

/// The hits whose frames match, by ascending query, with their times and weighed by weigh_by_contrast.
std::vector<TimePair> verified_pairs(ComparedFrames& clips, std::span<const FrameHit> hits);

/// Sets the weights, which are inliers before. Slow scenes match their neighbours too, and a still camera matches
/// always, so the frames that match a frame of the query best must outvote the others: the weight is the fourth power
/// of the share of the best one's inliers, both above the median of many. Small numbers are luck, and some are added.
/// All weigh less if even the best has few.
void weigh_by_contrast(std::vector<TimePair>& pairs);

/// −log10 of chance (FrameMatch::significance) that a match needs to count: with 0, one such match is expected by
/// chance.
constexpr double least_significance = 0;
/// Votes that a line needs, to which a frame of the query gives 0.5 at most. Chosen as the next one.
constexpr double least_votes = 0.3;
/// Inliers above this number vote no more for themselves. Chosen on three clips (docs/video-search.md, What was
/// measured).
constexpr int full_weight = 24;

}  // namespace octavo
