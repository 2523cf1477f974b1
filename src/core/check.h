// The one way in which an option out of range is reported.

#pragma once

#include <sstream>
#include <string_view>

#include "octavo/error.h"

namespace octavo {

/// Throws Error(invalid_option) unless low ≤ value ≤ high (a NaN never is).
template <class T>
void check_range(std::string_view option, T value, T low, T high) {
  if (value >= low && value <= high) return;
  std::ostringstream sentence;
  sentence << option << " is " << value << ", but must be between " << low << " and " << high;
  throw Error(ErrorCode::invalid_option, sentence.str());
}

}  // namespace octavo
