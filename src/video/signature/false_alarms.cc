#include "video/signature/false_alarms.h"

#include <cstddef>
#include <vector>

#include "video/signature/logarithm.h"

namespace octavo {
namespace {

constexpr int most_matches = 65535;  // the features that a frame of a signature file may have

// log10 n!
double log10_factorial(int n) {
  static const std::vector<double> table = [] {
    std::vector<double> sums(std::size_t{most_matches} + 1);
    for (int i = 1; i <= most_matches; ++i) sums[i] = sums[i - 1] + log10_of(i);
    return sums;
  }();
  return table[static_cast<std::size_t>(n)];
}

double log10_binomial(int n, int k) { return log10_factorial(n) - log10_factorial(k) - log10_factorial(n - k); }

}  // namespace

double significance(int inliers, int matches, double chance, int sample) {
  if (inliers <= sample) return 0;
  // n − 2 numbers of inliers are tried, if 2 are a sample; each choice of the inliers; each sample of them.
  const double tests = log10_of(matches - sample) + log10_binomial(matches, inliers) + log10_binomial(inliers, sample);
  return -(tests + (inliers - sample) * log10_of(chance));
}

double significance_of_known(int inliers, int matches, double chance) {
  return -(log10_binomial(matches, inliers) + inliers * log10_of(chance));
}

}  // namespace octavo
