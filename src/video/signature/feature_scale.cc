#include "video/signature/feature_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace octavo {

namespace {

// 2^(i/32 − 1), i = 0…511.
const std::array<double, 512>& powers() {
  static const std::array<double, 512> table = [] {
    double step = 2;
    for (int i = 0; i < 5; ++i) step = std::sqrt(step);
    std::array<double, 512> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = i % 32 == 0 ? std::ldexp(1, static_cast<int>(i / 32) - 1) : result[i - 1] * step;
    }
    return result;
  }();
  return table;
}

}  // namespace

std::uint8_t byte_of_scale(float scale) {
  int low = 0, high = 255;  // the greatest byte whose lower limit 2^((b − ½)/16 − 1) is at most the scale
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (powers()[static_cast<std::size_t>(2 * middle - 1)] <= double{scale}) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return static_cast<std::uint8_t>(low);
}

}  // namespace octavo
