#include <algorithm>

#include "engine/maths/scalar.h"
#include "engine/sift/stages_reference.h"

namespace octavo::reference {

using namespace maths;
#include "engine/sift/descriptor_maths.h"
#include "engine/sift/orientation_maths.h"
#include "engine/sift/window_maths.h"

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

void add_votes(const Plane& level, const WindowFrame& w, OrientationHistogram& votes) {
  for (int i = -w.reach_y; i <= w.reach_y; ++i) {
    const int y = w.row + i * w.step;
    if (y < 1 || y > level.height() - 2) continue;
    for (int j = -w.reach_x; j <= w.reach_x; ++j) {
      const int x = w.column + j * w.step;
      if (x < 1 || x > level.width() - 2) continue;
      const float_v across = to_float(x - w.column) - w.x, down = to_float(y - w.row) - w.y;
      const float_v gx = level.row(y)[x + 1] - level.row(y)[x - 1];
      const float_v gy = level.row(y + 1)[x] - level.row(y - 1)[x];
      const Vote vote = window_vote(coordinate(gx, gy, w.turn11, w.turn12), coordinate(gx, gy, w.turn21, w.turn22),
                                    coordinate(across, down, w.cells11, w.cells12),
                                    coordinate(across, down, w.cells21, w.cells22), w.vote);
      votes[static_cast<std::size_t>(vote.bin)] += static_cast<std::uint32_t>(vote.count);
    }
  }
}

}  // namespace octavo::reference
