// The keypoints of an image by square cells, so that guided matching reads only the cells where a partner may be.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/match/guide_region.h"
#include "octavo/keypoint.h"

namespace octavo {

class KeypointGrid {
 public:
  /// Cells at least `side` pixels wide, with a few keypoints each. Keypoints that are not finite are left out, since no
  /// region contains them.
  KeypointGrid(std::span<const Keypoint> keypoints, double side);

  /// Replaces `found` by the indices of exactly those keypoints that `region` contains, in no particular order.
  void find(const GuideRegion& region, std::vector<std::int32_t>& found) const;

 private:
  // The range of one coordinate of the keypoints, cut into equal cells.
  struct Axis {
    double low = 0, high = 0, side = 1;
    // The cell of x; the nearest cell if x is outside the range.
    [[nodiscard]] int cell(double x) const { return static_cast<int>((std::clamp(x, low, high) - low) / side); }
    [[nodiscard]] int cells() const { return cell(high) + 1; }
  };

  // Appends the keypoints of `region` in the cells of a column from y_low to y_high.
  void find_in_column(int column, double y_low, double y_high, const GuideRegion& region,
                      std::vector<std::int32_t>& found) const;

  struct Member {
    float x, y;
    std::int32_t index;
  };
  Axis x_, y_;
  std::vector<std::int32_t> starts_;  // start of each cell within members_, column by column; then the end
  std::vector<Member> members_;
};

}  // namespace octavo
