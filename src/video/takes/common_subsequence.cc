// S(i, j), the greatest sum of a subsequence that ends with the pair (i, j), is the similarity of the pair, and the
// greatest S(i − p, j − q), 1 ≤ p, q ≤ gap + 1, if there is one. Where no pair lies within the gap it begins anew, so a
// take may begin and end anywhere in the other.

#include "video/takes/common_subsequence.h"

#include <algorithm>
#include <cstdint>

namespace octavo {

namespace {

// The steps to the pair before, those with the least difference first, then the shortest: of equal sums the first one
// is taken.
std::vector<FramePair> steps_of(std::size_t gap) {
  std::vector<FramePair> steps;
  for (std::size_t p = 1; p <= gap + 1; ++p) {
    for (std::size_t q = 1; q <= gap + 1; ++q) steps.push_back({p, q});
  }
  std::ranges::stable_sort(
      steps, {}, [](const FramePair& s) { return std::pair(std::max(s.a, s.b) - std::min(s.a, s.b), s.a + s.b); });
  return steps;
}

}  // namespace

std::vector<FramePair> common_subsequence(std::span<const float> similarity, std::size_t rows, std::size_t columns,
                                          std::size_t gap) {
  constexpr std::int32_t none = -1;
  const std::vector<FramePair> steps = steps_of(gap);
  std::vector<double> sums(rows * columns, 0);
  std::vector<std::int32_t> before(rows * columns, none);
  double most = 0;
  FramePair last;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t here = i * columns + j;
      if (!(similarity[here] > 0)) continue;
      double best = 0;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        if (steps[s].a > i || steps[s].b > j) continue;
        const double sum = sums[here - steps[s].a * columns - steps[s].b];
        if (sum <= best) continue;
        best = sum;
        before[here] = static_cast<std::int32_t>(s);
      }
      sums[here] = best + similarity[here];
      if (sums[here] <= most) continue;
      most = sums[here];
      last = {i, j};
    }
  }
  std::vector<FramePair> pairs;
  if (most == 0) return pairs;
  for (FramePair at = last;;) {
    pairs.push_back(at);
    const std::int32_t step = before[at.a * columns + at.b];
    if (step == none) break;
    at = {at.a - steps[static_cast<std::size_t>(step)].a, at.b - steps[static_cast<std::size_t>(step)].b};
  }
  std::ranges::reverse(pairs);
  return pairs;
}

}  // namespace octavo
