#pragma once

#include <cstddef>
#include <vector>

#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo::mosaic {

/// The most matches that agree roughly with one of them on a similarity (shift, turn and size), which votes for itself.
/// `tolerance` [pixel of b] is what perspective may displace.
std::size_t most_votes(const Features& a, const Features& b, const std::vector<Match>& matches, double tolerance);

/// The largest set of matches that agree roughly on one similarity, as indices of `matches`.
/// Empty if fewer than ten agree, or if others agree on another similarity two thirds as often.
std::vector<std::size_t> agreeing_on_similarity(const Features& a, const Features& b, const std::vector<Match>& matches,
                                                double tolerance);

}  // namespace octavo::mosaic
