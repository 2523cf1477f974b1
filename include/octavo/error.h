#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "octavo/api.h"

namespace OCTAVO_API octavo {

/// The kind of an error, for programs.
enum class ErrorCode {
  invalid_option,      ///< an option has an invalid value; see Error::option()
  invalid_argument,    ///< an image, mask or array is invalid; the sentence says why
  device_unavailable,  ///< the device does not exist, or cannot be used on this machine
  out_of_memory,       ///< the sentence gives the number of bytes requested
  file_error,          ///< a file cannot be read or written; the sentence names the file
};

/// An option with an invalid value.
struct InvalidOption {
  std::string option;  ///< its name in the option table, e.g. "max_octaves"
  std::string value;   ///< as text, e.g. "99"; words are in quotation marks
  std::string reason;  ///< what is wrong with the value: "must be between 0 and 32"
};

/// Every error that the library reports. `what()` is one sentence for people, without a full stop. For an invalid value
/// of an option the sentence is "OPTION is VALUE, but REASON", and `option()`, `value()` and `reason()` give the parts.
class Error : public std::runtime_error {
 public:
  /// Of an error that does not concern the value of an option.
  Error(ErrorCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}

  /// `subject` names the owner of the option, e.g. "robust". It precedes the option in the sentence. It may be empty.
  Error(ErrorCode code, InvalidOption invalid, std::string_view subject = {})
      : std::runtime_error(sentence_of(invalid, subject)),
        code_(code),
        invalid_(std::make_shared<const InvalidOption>(std::move(invalid))) {}

  /// What kind of error it is.
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  /// The option. It, `value` and `reason` are empty if the error does not concern the value of an option.
  [[nodiscard]] std::string_view option() const noexcept { return invalid_ ? invalid_->option : std::string_view(); }
  /// The value of the option.
  [[nodiscard]] std::string_view value() const noexcept { return invalid_ ? invalid_->value : std::string_view(); }
  /// Why the option may not have it.
  [[nodiscard]] std::string_view reason() const noexcept { return invalid_ ? invalid_->reason : std::string_view(); }

 private:
  static std::string sentence_of(const InvalidOption& invalid, std::string_view subject) {
    const std::string whose = subject.empty() ? "" : std::string(subject) + " ";
    return whose + invalid.option + " is " + invalid.value + ", but " + invalid.reason;
  }

  ErrorCode code_;
  std::shared_ptr<const InvalidOption> invalid_;  // shared: copying an exception must not throw
};

// What the writer of a mistyped word meant.

/// The word of `known` that is nearest to `word`, if it is near enough: at most two of five letters differ, or it is
/// the only word that begins with `word`. The distance counts letters that are added, left out, replaced, or swapped
/// with their neighbour (Damerau 1964), without regard to case. Among equally near words the first is taken.
std::optional<std::string_view> nearest_word(std::string_view word, std::span<const std::string_view> known);

/// "; did you mean WORD?" with the nearest word, for the end of an error; empty if no word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace octavo
