#include "engine/extract/selection.h"

#include <algorithm>
#include <numeric>

#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
#include "engine/extract/selection_maths.h"

bool inside(const ImageView& mask, float x, float y) {
  return mask.row(nearest_pixel(y, mask.height))[nearest_pixel(x, mask.width)] != std::byte{0};
}

static_assert(rank_by_response == static_cast<int>(Rank::response) && rank_by_scale == static_cast<int>(Rank::scale) &&
              rank_by_scaled_response == static_cast<int>(Rank::scaled_response));

float rank_score(const Keypoint& keypoint, Rank rank) {
  return rank_of(static_cast<int>(rank), keypoint.response, keypoint.scale);
}

std::vector<std::size_t> select(const std::vector<Keypoint>& keypoints, int width, int height, const Budget& budget) {
  std::vector<std::size_t> best(keypoints.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  const std::size_t most = static_cast<std::size_t>(budget.max_features);
  if (most == 0 || keypoints.size() <= most) return best;

  std::stable_sort(best.begin(), best.end(), [&](std::size_t a, std::size_t b) {
    return rank_score(keypoints[a], budget.rank) > rank_score(keypoints[b], budget.rank);
  });

  if (budget.grid > 1) {
    // The place of each keypoint in the ranking of its cell. Keypoints within the share of their cell go before all
    // others. Shares are rounded up, so together they may exceed the budget; then the places decide, and the ranking
    // among equal places.
    const int g = budget.grid;
    const std::size_t cells = static_cast<std::size_t>(g) * static_cast<std::size_t>(g);
    const std::size_t share = (most + cells - 1) / cells;
    const auto cell = [&](std::size_t i) {
      const int row = part_of_side(keypoints[i].y, height, g), column = part_of_side(keypoints[i].x, width, g);
      return static_cast<std::size_t>(row) * static_cast<std::size_t>(g) + static_cast<std::size_t>(column);
    };
    std::vector<std::size_t> taken(cells, 0), place(keypoints.size());
    for (std::size_t i : best) place[i] = std::min(taken[cell(i)]++, share);
    std::stable_sort(best.begin(), best.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  }
  best.resize(most);
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace octavo
