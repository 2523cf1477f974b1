// Matching where neighbouring keypoints may be the same point, as those of several views of an image are. The second
// nearest neighbour is then often the point of the nearest once more, so the ratio test would refuse what is right. The
// second neighbour of that test is the nearest one that lies elsewhere: the first geometrically inconsistent neighbour
// (Mishkin, Matas and Perdoch, "MODS: fast and robust method for two-view matching", CVIU 141, 2015).

#pragma once

#include <vector>

#include "engine/match/nearest.h"
#include "octavo/matcher.h"

namespace octavo {

/// The matches of two sets of features with options.distinct_radius > 0. `search` compares all pairs.
std::vector<Match> match_distinct(NearestSearch& search, const Features& a, const Features& b,
                                  const MatchOptions& options);

}  // namespace octavo
