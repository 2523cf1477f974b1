#include "multiview/align/distinct_places.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace octavo {

int distinct_places(const PointPairs& pairs) {
  constexpr double cell = 6;  // [pixel] a guess
  const auto cell_of = [](const Point& p) {
    return std::pair(static_cast<int>(std::floor(p.x / cell)), static_cast<int>(std::floor(p.y / cell)));
  };
  std::set<std::pair<int, int>> in_a, in_b;
  for (const Point& p : pairs.a) in_a.insert(cell_of(p));
  for (const Point& p : pairs.b) in_b.insert(cell_of(p));
  return static_cast<int>(std::min(in_a.size(), in_b.size()));
}

void require_a_fifth_place(RobustModel& homography, const PointPairs& pairs) {
  PointPairs agreeing;
  for (std::size_t i = 0; i < homography.inliers.size(); ++i) {
    if (homography.inliers[i] == 0) continue;
    agreeing.a.push_back(pairs.a[i]);
    agreeing.b.push_back(pairs.b[i]);
  }
  if (!homography.found || distinct_places(agreeing) > 4) return;
  homography = {.reason = "no more than the four matches that any homography fits agree",
                .inliers = std::vector<std::uint8_t>(pairs.a.size())};
}

}  // namespace octavo
