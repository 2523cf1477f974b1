#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace octavo::mosaic {

/// Of an even number of values the upper one of the middle. There must be some.
inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace octavo::mosaic
