#include "multiview/geometry/support.h"

#include <cmath>

namespace octavo {

namespace {

// log C(n, k), as a sum: the C library's lgamma writes to a global.
double log_binomial(int n, int k) {
  double sum = 0;
  for (int i = 1; i <= k; ++i) sum += std::log(static_cast<double>(n - k + i) / i);
  return sum;
}

}  // namespace

bool supports_model(int n, int k, int s, double chance) {
  if (k < s) return false;
  if (n == s) return true;
  return std::log(n - s) + log_binomial(n, k) + log_binomial(k, s) + (k - s) * std::log(chance) < 0;
}

}  // namespace octavo
