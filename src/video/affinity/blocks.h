#pragma once

// Blocks of an affinity matrix: scenes of two clips that show the same.

#include <span>
#include <vector>

#include "video/affinity/clip_frames.h"

namespace octavo {

/// The least share of two frames between which the image does not change wholly (FrameAffinity::share).
inline constexpr double steady_share = 0.1;

/// Of so many pairs of frames that show different things, one may count as similar: blocks need half of all pairs.
inline constexpr double pairs_for_one_chance = 100;

/// The blocks of all pairs of scenes of two clips, by their begins in A, then B. `is_similar` has a number for each
/// frame of A and each of B, row by row: 1 if they are similar.
std::vector<AffinityBlock> blocks_of(const ClipFrames& a, const ClipFrames& b,
                                     std::span<const std::uint8_t> is_similar);

}  // namespace octavo
