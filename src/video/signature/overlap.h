#pragma once

#include <algorithm>

namespace octavo {

/// How long two spans of time overlap; 0 if they do not. [second]
inline double overlap(double a_in, double a_out, double b_in, double b_out) {
  return std::max(0.0, std::min(a_out, b_out) - std::max(a_in, b_in));
}

}  // namespace octavo
