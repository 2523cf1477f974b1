#include "multiview/geometry/support.h"

#include <algorithm>
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

bool do_inliers_gather(std::span<const double> errors, double threshold) {
  constexpr double least_threshold = 2;  // [pixel]
  if (threshold < least_threshold) return true;
  const double near = std::max(threshold / 3, 1.0), share = std::pow(near / threshold, 2);
  const auto inliers = static_cast<double>(errors.size());
  return static_cast<double>(std::ranges::count_if(errors, [&](double error) { return error <= near; })) >=
         share * inliers + 3 * std::sqrt(inliers * share * (1 - share));
}

}  // namespace octavo
