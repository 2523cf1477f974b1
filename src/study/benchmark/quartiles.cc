// Median and quartiles, which summarise a few noisy times robustly.

#include "study/benchmark/benchmark.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace octavo {

Quartiles quartiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double p) {
    const double position = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], position - static_cast<double>(below));
  };
  return {quantile(0.25), quantile(0.5), quantile(0.75)};
}

}  // namespace octavo
