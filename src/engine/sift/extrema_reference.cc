#include <algorithm>
#include <cmath>

#include "engine/maths/scalar.h"
#include "engine/sift/extrema.h"

namespace octavo::reference {

using namespace maths;
// Refine uses the primitives of refinement_maths.h.
// clang-format off
#include "engine/sift/refinement_maths.h"

namespace {

// The difference of Gaussians between levels.
using Differences = const std::vector<Plane>*;

float_v difference(Differences levels, int layer, int row, int column) {
  const std::size_t i = static_cast<std::size_t>(layer);
  return (*levels)[i + 1].row(row)[column] - (*levels)[i].row(row)[column];
}

void difference_cube(Differences levels, int layer, int row, int column, float_v* cube) {
  for (int s = -1; s <= 1; ++s) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) *cube++ = difference(levels, layer + s, row + y, column + x);
    }
  }
}

#include "engine/sift/refine.h"
// clang-format on

// True if the value is greater (if positive) or less (if negative) than all 26 neighbours.
bool is_extreme(Differences levels, int layer, int row, int column, float_v value) {
  for (const int s : {0, -1, 1}) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (s == 0 && y == 0 && x == 0) continue;
        const float_v other = difference(levels, layer + s, row + y, column + x);
        if (!(value > 0 ? value > other : value < other)) return false;
      }
    }
  }
  return true;
}

Trial trial(Differences levels, const ExtremumLimits& limits, const Extremum& at) {
  Trial t{.at = at, .end = at};
  t.outcome = refine(levels, limits, levels->front().width(), levels->front().height(), &t.end);
  if (t.outcome == refinement_unstable) return t;
  float_v cube[27];
  difference_cube(levels, t.end.layer, t.end.row, t.end.column, cube);
  const Quadratic q = quadratic_through(cube);
  t.square_of_trace = (q.dxx + q.dyy) * (q.dxx + q.dyy);
  t.determinant = spatial_determinant(q);
  return t;
}

}  // namespace

std::vector<Trial> trials(const std::vector<Plane>& levels, const ExtremumLimits& limits, int row_begin, int row_end,
                          std::vector<std::int64_t>* faint) {
  const int width = levels[0].width(), height = levels[0].height();
  if (faint) faint->assign(static_cast<std::size_t>(limits.layers), 0);
  std::vector<Trial> found;
  for (int layer = 1; layer <= limits.layers; ++layer) {
    for (int row = std::max(row_begin, extrema_border); row < std::min(row_end, height - extrema_border); ++row) {
      for (int column = extrema_border; column < width - extrema_border; ++column) {
        const float_v value = difference(&levels, layer, row, column);
        const bool beyond = std::abs(value) > limits.candidate;
        if (!beyond && !faint) continue;
        if (!is_extreme(&levels, layer, row, column, value)) continue;
        if (beyond) {
          found.push_back(trial(&levels, limits, {.layer = layer, .row = row, .column = column, .value = value}));
        } else {
          ++(*faint)[static_cast<std::size_t>(layer) - 1];
        }
      }
    }
  }
  return found;
}

std::vector<Extremum> extrema(const std::vector<Plane>& levels, const ExtremumLimits& limits) {
  std::vector<Extremum> found;
  for (const Trial& t : trials(levels, limits, 0, levels[0].height())) {
    if (t.outcome == refinement_done) found.push_back(t.end);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace octavo::reference
