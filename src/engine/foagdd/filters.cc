#include "engine/foagdd/filters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/maths/double_precision.h"

namespace octavo {

namespace {

constexpr double negligible = 1e-6;  // of the largest tap

// φ_θ for θ = d·π/K, in [0, π/2].
class Derivative {
 public:
  Derivative(int d, int directions, double sigma, double rho)
      : cosine_(maths::cosine(maths::pi * d / directions)),
        sine_(maths::sine(maths::pi * d / directions)),
        sigma_(sigma),
        rho_(rho) {}

  [[nodiscard]] double at(int x, int y) const {
    const double u = x * cosine_ + y * sine_, v = y * cosine_ - x * sine_;
    const double exponent = (rho_ * u * u + v * v / rho_) / (2 * sigma_);
    if (exponent > 40) return 0;
    return -rho_ * u / (2 * maths::pi * sigma_ * sigma_) * maths::exponential(-exponent);
  }
  [[nodiscard]] double odd(int x, int y) const { return (at(x, y) + at(x, -y)) / 2; }
  [[nodiscard]] double even(int x, int y) const { return (at(x, y) - at(x, -y)) / 2; }

 private:
  double cosine_, sine_, sigma_, rho_;
};

}  // namespace

FoagddFilter foagdd_filter(int directions, double sigma, double rho) {
  FoagddFilter filter{.directions = directions, .taps = {}, .weights = {}};
  std::vector<Derivative> derivatives;
  for (int d = 0; d <= directions / 2; ++d) derivatives.emplace_back(d, directions, sigma, rho);

  const auto largest_at = [&](int x, int y) {
    double most = 0;
    for (const Derivative& f : derivatives) most = std::max({most, std::abs(f.at(x, y)), std::abs(f.at(x, -y))});
    return most;
  };
  double largest = 0;
  for (int x = 0; x <= farthest_tap; ++x) {
    for (int y = 0; y <= farthest_tap; ++y) largest = std::max(largest, largest_at(x, y));
  }

  const auto add = [&](int x, int y) {
    if (largest_at(x, y) < negligible * largest) return;
    filter.taps.push_back({x, y});
    filter.radius = std::max({filter.radius, x, y});
    for (int d = 0; d < filter.odd_parts(); ++d) {
      filter.weights.push_back(static_cast<float>(derivatives[static_cast<std::size_t>(d)].odd(x, y)));
    }
    for (int d = 1; d <= filter.even_parts(); ++d) {
      filter.weights.push_back(static_cast<float>(derivatives[static_cast<std::size_t>(d)].even(x, y)));
    }
  };
  for (int x = 1; x <= farthest_tap; ++x) add(x, 0);
  filter.below = static_cast<int>(filter.taps.size());
  for (int y = 1; y <= farthest_tap; ++y) add(0, y);
  filter.aside = static_cast<int>(filter.taps.size()) - filter.below;
  for (int x = 1; x <= farthest_tap; ++x) {
    for (int y = 1; y <= farthest_tap; ++y) add(x, y);
  }
  return filter;
}

}  // namespace octavo
