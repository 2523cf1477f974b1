#include "multiview/align/supported_inliers.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace octavo {

namespace {

using Cell = std::pair<int, int>;

struct Count {
  int matches = 0, inliers = 0;
};

}  // namespace

std::vector<std::uint8_t> supported_inliers(const Alignment& found, ImageSize a) {
  constexpr int cells = 16;  // along the longer side, as for `local`
  const double side = std::max(1.0, std::max(a.width, a.height) / static_cast<double>(cells));
  std::vector<std::uint8_t> marks = found.homography.inliers;
  std::vector<Cell> cell_of;
  std::map<Cell, Count> around;  // of the cell and the eight beside it
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Keypoint& k = found.a.keypoints[static_cast<std::size_t>(found.matches[i].a)];
    const auto [x, y] = cell_of.emplace_back(static_cast<int>(k.x / side), static_cast<int>(k.y / side));
    for (int j = 0; j < 9; ++j) {
      Count& count = around[{x + j % 3 - 1, y + j / 3 - 1}];
      ++count.matches;
      count.inliers += marks[i] != 0 ? 1 : 0;
    }
  }
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Count& count = around[cell_of[i]];
    if (2 * count.inliers < count.matches) marks[i] = 0;
  }
  return marks;
}

PointPairs marked_pairs(const Alignment& found, const std::vector<std::uint8_t>& marks) {
  const PointPairs all = point_pairs(found.a, found.b, found.matches);
  PointPairs kept;
  for (std::size_t i = 0; i < all.a.size(); ++i) {
    if (marks[i] == 0) continue;
    kept.a.push_back(all.a[i]);
    kept.b.push_back(all.b[i]);
  }
  return kept;
}

}  // namespace octavo
