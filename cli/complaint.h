#pragma once

// What goes wrong: messages, wrong calls, and the exit codes.

#include <stdexcept>
#include <string>
#include <string_view>

namespace octavo::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_wrong_call = 2;

/// Writes one line to the error stream: "octavo: " and the sentence. Its line breaks become spaces, and names of
/// options in backticks those of the command line.
void complain(std::string_view sentence);

/// A wrong call of the program, as a sentence for the user.
class WrongCall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// The sentence "--output: why".
  WrongCall(const std::string& option, const std::string& why) : std::runtime_error(option + ": " + why) {}
};

}  // namespace octavo::cli
