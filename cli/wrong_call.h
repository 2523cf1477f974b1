#pragma once

#include <stdexcept>
#include <string>

namespace octavo::cli {

/// A wrong call of the program, as a sentence for the user.
class WrongCall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// The sentence "--output: why".
  WrongCall(const std::string& option, const std::string& why) : std::runtime_error(option + ": " + why) {}
};

}  // namespace octavo::cli
