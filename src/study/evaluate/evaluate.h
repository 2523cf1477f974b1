#pragma once

#include <span>

#include "engine/core/internal_api.h"
#include "octavo/multiview/geometry.h"
#include "octavo/pair_scores.h"

namespace OCTAVO_INTERNAL_API octavo {

/// What count_pair() counts, and where the truth is a homography the one that is estimated from `matches`. Throws what
/// count_pair() throws, and Error(invalid_option).
PairScores score_pair(const Features& a, const Features& b, std::span<const Match> mutual,
                      std::span<const Match> matches, const Truth& truth, ImageSize size_a, ImageSize size_b,
                      const RobustOptions& robust = {});

}  // namespace octavo
