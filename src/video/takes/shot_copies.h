#pragma once

// Shots that show the same moments: copies, or scenes whose motion tells the time.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "video/takes/common_subsequence.h"
#include "video/takes/shot_frames.h"

namespace octavo {

/// A take and its reference, with two frames that are much alike. Both outlive it.
struct AlikeShots {
  const ShotFrames* take = nullptr;
  const ShotFrames* reference = nullptr;
  FramePair pair;
};

/// For each of the shots: how much later the reference's clip shows the moments that the take shows, exact to the
/// frame. [second] of the clips' times. Files are decoded around the two frames, each once for some dozens of shots.
/// None if what moves in the take does not move alike in the reference at one delay alone, and without the files.
/// Throws what Video throws.
std::vector<std::optional<double>> exact_delays(std::span<const AlikeShots> shots, const std::string& isa);

}  // namespace octavo
