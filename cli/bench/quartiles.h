#pragma once

#include <vector>

namespace octavo::cli {

/// The values that a quarter, half and three quarters of a sample stay below.
struct Quartiles {
  double q1 = 0, median = 0, q3 = 0;
};

/// Interpolates linearly between the sorted values (Hyndman and Fan 1996, definition 7, as NumPy); zeros for an empty
/// sample.
Quartiles quartiles(std::vector<double> values);

}  // namespace octavo::cli
