#pragma once

// Shots that show the same moments: copies, or scenes whose motion tells the time.

#include <optional>
#include <string>

#include "video/takes/common_subsequence.h"
#include "video/takes/shot_frames.h"

namespace octavo {

/// How much later the reference's clip shows the moments that the take shows, exact to the frame. [second] of the
/// clips' times. `pair` are two frames that are much alike. Both files are decoded around them. None if what moves in
/// the take does not move alike in the reference at one delay alone, and without the files. Throws what Video throws.
std::optional<double> exact_delay(const ShotFrames& take, const ShotFrames& reference, const FramePair& pair,
                                  const std::string& isa);

}  // namespace octavo
