// Medians of wall times, for contenders that take turns.

#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace octavo::bench {

inline double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace octavo::bench
