#pragma once

#include <cmath>

namespace octavo::inspection {

/// The value rounded to 1 / unit_per_one, so that the page holds few digits.
inline double rounded(double value, double unit_per_one) { return std::round(value * unit_per_one) / unit_per_one; }

}  // namespace octavo::inspection
