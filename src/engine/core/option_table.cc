// What a table can do with an option's value without knowing the struct: check it against the range and write it as
// text.

#include "octavo/option_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "engine/core/check.h"
#include "octavo/error.h"

namespace octavo {

namespace {

[[noreturn]] void refuse(const OptionFacts& option, const OptionValue& value, std::string_view subject,
                         const std::string& reason) {
  const auto* const text = std::get_if<std::string>(&value);
  throw Error(
      ErrorCode::invalid_option,
      InvalidOption{std::string(option.name), text != nullptr ? "\"" + *text + "\"" : option_text(value), reason},
      subject);
}

std::string text_of_number(double value) {
  std::array<char, 32> text{};
  const double size = std::abs(value);
  const bool plain = value == 0 || (size >= 1e-9 && size < 1e16);
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          plain ? std::chars_format::fixed : std::chars_format::general);
  return {text.data(), end};
}

// Whole numbers below 2^53 are exact as double. No range ends above 2^53.
bool is_allowed(const OptionFacts& option, double value) {
  return (value >= option.low && value <= option.high) || (option.special && value == *option.special);
}

std::string range_of(const OptionFacts& option) {
  std::string range = "must be between " + option_text(option.low) + " and " + option_text(option.high);
  if (option.special) range += ", or " + option_text(*option.special);
  return range;
}

}  // namespace

std::string option_text(const OptionValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* const number = std::get_if<double>(&value)) return text_of_number(*number);
  return std::get<std::string>(value);
}

bool is_met(const OptionNeed& need, const OptionValue& value) {
  return (option_text(value) == need.value) != need.is_any_other;
}

std::string json_of(const OptionValue& value) {
  const auto* const number = std::get_if<double>(&value);
  if (number != nullptr && !std::isfinite(*number)) return "null";
  const auto* const text = std::get_if<std::string>(&value);
  if (text == nullptr) return option_text(value);
  std::string json = "\"";
  for (const char c : *text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      json += {'\\', 'u', '0', '0', digits[code / 16], digits[code % 16]};
    } else {
      if (c == '"' || c == '\\') json += '\\';
      json += c;
    }
  }
  return json + '"';
}

namespace {

std::string objection_to_integer(const OptionFacts& option, std::int64_t whole) {
  if (!is_allowed(option, static_cast<double>(whole))) return range_of(option);
  return option.odd && whole % 2 == 0 ? "must be odd" : "";
}

std::string objection_to_word(const OptionFacts& option, const std::string* word) {
  if (word != nullptr && std::ranges::find(option.words, *word) != option.words.end()) return "";
  return "must be one of " + list_of(option.words) + (word != nullptr ? did_you_mean(*word, option.words) : "");
}

// What the value must be, if it is not that.
std::string objection_to(const OptionFacts& option, const OptionValue& value) {
  const auto* const whole = std::get_if<std::int64_t>(&value);
  const auto* const number = std::get_if<double>(&value);
  switch (option.kind) {
    case OptionKind::flag:
      return std::holds_alternative<bool>(value) ? "" : "must be true or false";
    case OptionKind::integer:
      return whole == nullptr ? "must be a whole number" : objection_to_integer(option, *whole);
    case OptionKind::number:
      if (whole == nullptr && number == nullptr) return "must be a number";
      return is_allowed(option, whole != nullptr ? static_cast<double>(*whole) : *number) ? "" : range_of(option);
    case OptionKind::choice:
      return objection_to_word(option, std::get_if<std::string>(&value));
    case OptionKind::text:
      break;
  }
  return std::holds_alternative<std::string>(value) ? "" : "must be text";
}

}  // namespace

void check_value(const OptionFacts& option, const OptionValue& value, std::string_view subject) {
  const std::string objection = objection_to(option, value);
  if (!objection.empty()) refuse(option, value, subject, objection);
}

void refuse_word(std::string_view option, std::string_view word, std::span<const std::string_view> known) {
  throw Error(ErrorCode::invalid_option, InvalidOption{std::string(option), "\"" + std::string(word) + "\"",
                                                       "must be one of " + list_of(known) + did_you_mean(word, known)});
}

}  // namespace octavo
