#include "engine/match/matches.h"

#include <cmath>

namespace octavo {

namespace {

constexpr double ratio_steps = 10000;

}  // namespace

std::vector<Match> select_matches(const Neighbours& neighbours, const MatchOptions& options,
                                  const std::function<bool(std::int32_t, std::int32_t)>& is_same) {
  const auto ratio = static_cast<std::uint64_t>(std::lround(options.ratio * ratio_steps));
  const auto distinct = [&](const NearestTwo& two) {
    if (options.ratio == 1 || two.index[1] < 0) return true;
    // At most 2^23·10^8, well within 64 bits.
    return std::uint64_t{two.distance2[0]} * 100'000'000 < ratio * ratio * two.distance2[1];
  };
  std::vector<Match> matches;
  for (std::size_t a = 0; a < neighbours.of_a.size(); ++a) {
    const NearestTwo& two = neighbours.of_a[a];
    const auto i = static_cast<std::int32_t>(a);
    const std::int32_t b = two.index[0];
    if (b < 0 || two.distance2[0] > options.max_distance2 || !distinct(two)) continue;
    if (options.mutual && !is_same(i, neighbours.of_b[b])) continue;
    matches.push_back({i, b, two.distance2[0]});
  }
  return matches;
}

}  // namespace octavo
