// The step from neighbours to matches: the tests of a pair, in integers, the same on every device.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/match/nearest.h"
#include "octavo/matcher.h"

namespace octavo {

/// The pairs of an a and its nearest b that pass all tests:
///   d1² ≤ max_distance2;
///   d1²·10⁸ < (10⁴·ratio, rounded)²·d2², unless ratio is 1 or there is no second neighbour (D. Lowe, IJCV 2004, §7.1);
///   the nearest a of that b is the same as this a, if `mutual` (then neighbours.of_b must be there).
/// Ordered by ascending a.
std::vector<Match> select_matches(const Neighbours& neighbours, const MatchOptions& options,
                                  const std::function<bool(std::int32_t, std::int32_t)>& is_same = std::equal_to<>());

}  // namespace octavo
