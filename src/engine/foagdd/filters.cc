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

std::vector<float> image_of_filter(const FoagddFilter& filter, int direction) {
  // The direction π − θ has the parts −P and Q.
  const bool is_turned = 2 * direction > filter.directions;
  const int d = is_turned ? filter.directions - direction : direction;
  const std::size_t parts = static_cast<std::size_t>(filter.odd_parts() + filter.even_parts());
  std::vector<float> image(filter_side * filter_side);
  for (std::size_t i = 0; i < filter.taps.size(); ++i) {
    const auto [down, right] = filter.taps[i];
    const float* weights = filter.weights.data() + i * parts;
    const float p = d < filter.odd_parts() ? weights[d] : 0;
    const float q = d > 0 ? weights[filter.odd_parts() + d - 1] : 0;
    for (const int x : {-1, 1}) {
      for (const int y : {-1, 1}) {
        const int at = (farthest_tap + x * down) * filter_side + farthest_tap + y * right;
        image[static_cast<std::size_t>(at)] = static_cast<float>(is_turned ? -x : x) * p + static_cast<float>(y) * q;
      }
    }
  }
  return image;
}

}  // namespace octavo
