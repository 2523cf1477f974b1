// The shift in time at which the frames of two clips correlate best.

#pragma once

#include <limits>

namespace octavo {

struct Shift {
  double seconds = 0, correlation = 0;
};

/// The shift from `low` to `high` with the greatest correlation; of several the middle one, since between two frames
/// nothing changes.
template <class Correlation>
Shift best_shift(double low, double high, const Correlation& correlation) {
  constexpr double step = 0.002;  // [second] a twentieth of a frame of 25 a second
  constexpr double equal = 1e-9;  // above the rounding of a mean correlation
  double most = -std::numeric_limits<double>::infinity(), first = low, last = low;
  bool in_run = false;
  const auto steps = static_cast<int>((high - low) / step);
  for (int k = 0; k <= steps; ++k) {
    const double seconds = low + step * k, one = correlation(seconds);
    if (one > most + equal) {
      most = one;
      first = last = seconds;
      in_run = true;
    } else if (in_run && one >= most - equal) {
      last = seconds;
    } else {
      in_run = false;
    }
  }
  return {(first + last) / 2, most};
}

}  // namespace octavo
