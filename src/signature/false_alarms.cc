#include "signature/false_alarms.h"

#include <algorithm>
#include <array>

#include "signature/logarithm.h"

namespace octavo {
namespace {

constexpr int most_matches = 4096;

// log10 n!
double log10_factorial(int n) {
  static const std::array<double, most_matches + 1> table = [] {
    std::array<double, most_matches + 1> sums{};
    for (int i = 1; i <= most_matches; ++i) sums[i] = sums[i - 1] + log10_of(i);
    return sums;
  }();
  return table[std::min(n, most_matches)];
}

double log10_binomial(int n, int k) { return log10_factorial(n) - log10_factorial(k) - log10_factorial(n - k); }

}  // namespace

double surprise(int inliers, int matches, double chance) {
  constexpr int sample = 2;
  if (inliers <= sample) return 0;
  // n − 2 numbers of inliers are tried; each choice of the inliers; each pair of them that may give the similarity.
  const double tests = log10_of(matches - sample) + log10_binomial(matches, inliers) + log10_binomial(inliers, sample);
  return -(tests + (inliers - sample) * log10_of(chance));
}

double surprise_of_known(int inliers, int matches, double chance) {
  return -(log10_binomial(matches, inliers) + inliers * log10_of(chance));
}

}  // namespace octavo
