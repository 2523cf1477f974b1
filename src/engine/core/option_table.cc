// What a table can do with an option's value without knowing the struct: check it against the range and write it as
// text.

#include "octavo/option_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "engine/core/check.h"
#include "octavo/suggestion.h"

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

void check_value(const OptionFacts& option, const OptionValue& value, std::string_view subject) {
  const auto* const whole = std::get_if<std::int64_t>(&value);
  const auto* const number = std::get_if<double>(&value);
  const auto* const text = std::get_if<std::string>(&value);
  switch (option.kind) {
    case OptionKind::flag:
      if (!std::holds_alternative<bool>(value)) refuse(option, value, subject, "must be true or false");
      break;
    case OptionKind::integer:
      if (whole == nullptr) refuse(option, value, subject, "must be a whole number");
      if (!is_allowed(option, static_cast<double>(*whole))) refuse(option, value, subject, range_of(option));
      if (option.odd && *whole % 2 == 0) refuse(option, value, subject, "must be odd");
      break;
    case OptionKind::number:
      if (whole == nullptr && number == nullptr) refuse(option, value, subject, "must be a number");
      if (!is_allowed(option, whole != nullptr ? static_cast<double>(*whole) : *number)) {
        refuse(option, value, subject, range_of(option));
      }
      break;
    case OptionKind::choice:
      if (text == nullptr || std::find(option.words.begin(), option.words.end(), *text) == option.words.end()) {
        refuse(option, value, subject,
               "must be one of " + list_of(option.words) + (text != nullptr ? did_you_mean(*text, option.words) : ""));
      }
      break;
    case OptionKind::text:
      if (text == nullptr) refuse(option, value, subject, "must be text");
      break;
  }
}

void refuse_word(std::string_view option, std::string_view word, std::span<const std::string_view> known) {
  throw Error(ErrorCode::invalid_option, InvalidOption{std::string(option), "\"" + std::string(word) + "\"",
                                                       "must be one of " + list_of(known) + did_you_mean(word, known)});
}

}  // namespace octavo
