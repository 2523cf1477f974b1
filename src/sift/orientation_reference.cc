#include "maths/scalar.h"
#include "sift/stages_reference.h"

namespace octavo::reference {

using namespace maths;
#include "sift/orientation_maths.h"
#include "sift/window_maths.h"

OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale) {
  const int radius = orientation_radius(scale);
  const float_v factor = window_factor(1.5f * scale);
  OrientationHistogram histogram{};
  for (int dy = -radius; dy <= radius; ++dy) {
    const int y = e.row + dy;
    if (y < 1 || y > level.height() - 2) continue;
    for (int dx = -radius; dx <= radius; ++dx) {
      const int x = e.column + dx;
      if (x < 1 || x > level.width() - 2) continue;
      const float_v gx = level.row(y)[x + 1] - level.row(y)[x - 1];
      const float_v gy = level.row(y + 1)[x] - level.row(y - 1)[x];
      const float_v row_weight = window_weight(to_float(dy), factor) * vote_unit;
      const Vote vote = orientation_vote(gx, gy, row_weight * window_weight(to_float(dx), factor));
      histogram[static_cast<std::size_t>(vote.bin)] += static_cast<std::uint32_t>(vote.count);
    }
  }
  return histogram;
}

}  // namespace octavo::reference
