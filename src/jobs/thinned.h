#pragma once

#include <cstddef>
#include <vector>

namespace octavo::jobs {

/// Of more times than `most`, so many: evenly spread ones, with the first and the last. 0: all.
inline std::vector<double> thinned(const std::vector<double>& times, std::size_t most) {
  if (most == 0 || times.size() <= most) return times;
  std::vector<double> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(times[most == 1 ? 0 : i * (times.size() - 1) / (most - 1)]);
  return kept;
}

}  // namespace octavo::jobs
