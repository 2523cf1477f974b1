// Logarithms that are the same on every machine (docs/numerics.md).

#pragma once

#include <cmath>

#include "engine/maths/double_precision.h"

namespace octavo {

/// log10 x of a positive number, to about 1e-14.
inline double log10_of(double x) {
  constexpr double log10_of_2 = 0.301029995663981195214;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // exact; 0.5 ≤ mantissa < 1
  return (exponent - 1 + maths::log2_of_1_plus(2 * mantissa - 1)) * log10_of_2;
}

}  // namespace octavo
