#pragma once

// From cuts and junk to the shots of a clip.

#include <cstddef>
#include <vector>

#include "octavo/video/takes.h"
#include "video/affinity/clip_frames.h"
#include "video/takes/cut_finder.h"

namespace octavo {

/// What a clip is made of.
struct ClipShots {
  std::vector<Shot> shots;         ///< ascending
  std::vector<JunkShot> left_out;  ///< ascending
};

/// Runs of junk among the compared frames.
std::vector<JunkRun> sampled_junk(const ClipFrames& frames);

/// The shots of a clip between its cuts, without junk, and what is left out. `exact`: the cuts are those of all frames;
/// then those of `sampled` are added that are farther than `distance` [second] from all others.
ClipShots shots_of(std::size_t clip, const ClipCuts& cuts, bool exact, const std::vector<double>& sampled,
                   double distance, double min_seconds);

}  // namespace octavo
