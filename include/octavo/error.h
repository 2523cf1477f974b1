#pragma once

#include <stdexcept>
#include <string>

namespace octavo {

/// What went wrong, for programs.
enum class ErrorCode {
  invalid_option,      ///< an option outside its range; the sentence names the option, its value and the range
  invalid_argument,    ///< an image, mask or array that cannot be used; the sentence says why
  device_unavailable,  ///< no such device, or it cannot be used on this machine
  out_of_memory,       ///< the sentence gives the bytes asked for
  file_error,          ///< a file that cannot be read or written; the sentence names it
};

/// Every error the library reports. `what()` is one sentence for people, without a full stop.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace octavo
