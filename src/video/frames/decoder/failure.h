#pragma once

#include <stdexcept>
#include <string>

namespace octavo::video {

/// Why the file cannot be decoded, or no further. The sentence does not name the file.
class DecodeFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// FFmpeg's words for one of its error numbers.
std::string text_of_error(int error);

/// Lets FFmpeg print nothing, and keep its last message about an error instead.
void keep_messages();
/// ": " and that message; empty if there is none.
std::string last_message();

}  // namespace octavo::video
