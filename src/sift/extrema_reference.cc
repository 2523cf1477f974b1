#include <algorithm>
#include <cmath>

#include "maths/scalar.h"
#include "sift/extrema.h"

namespace octavo::reference {

using namespace maths;
// Refine is written in the words of refinement_maths.h.
// clang-format off
#include "sift/refinement_maths.h"

namespace {

// The difference of Gaussians between levels.
using Differences = const std::vector<Plane>*;

real difference(Differences levels, int layer, int row, int column) {
  const std::size_t i = static_cast<std::size_t>(layer);
  return (*levels)[i + 1].row(row)[column] - (*levels)[i].row(row)[column];
}

void difference_cube(Differences levels, int layer, int row, int column, real* cube) {
  for (int s = -1; s <= 1; ++s) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) *cube++ = difference(levels, layer + s, row + y, column + x);
    }
  }
}

#include "sift/refine.h"
// clang-format on

// Greater (if positive) or less (if negative) than all 26 neighbours.
bool is_extreme(const real* cube) {
  const real value = cube[13];
  for (int i = 0; i < 27; ++i) {
    if (i != 13 && !(value > 0 ? value > cube[i] : value < cube[i])) return false;
  }
  return true;
}

}  // namespace

std::vector<Extremum> extrema(const std::vector<Plane>& levels, const ExtremumLimits& limits) {
  const int width = levels[0].width(), height = levels[0].height();
  std::vector<Extremum> found;
  for (int layer = 1; layer <= limits.layers; ++layer) {
    for (int row = extrema_border; row < height - extrema_border; ++row) {
      for (int column = extrema_border; column < width - extrema_border; ++column) {
        if (!(std::abs(difference(&levels, layer, row, column)) > limits.candidate)) continue;
        real cube[27];
        difference_cube(&levels, layer, row, column, cube);
        Extremum e{layer, row, column};
        if (is_extreme(cube) && refine(&levels, limits, width, height, &e)) found.push_back(e);
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace octavo::reference
