// How the rows of an option table are written: the type of the member decides what kind of option it is, and how it is
// read and written.
//
//     option<&SiftOptions::layers>({.name = "layers", .sentence = "…", .low = 1, .high = 8})

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/core/internal_api.h"
#include "octavo/option_table.h"

namespace OCTAVO_INTERNAL_API octavo {

template <auto member>
struct MemberOf;
template <class S, class V, V S::*member>
struct MemberOf<member> {
  using Struct = S;
  using Value = V;
};

template <auto member>
OptionValue read_member(const typename MemberOf<member>::Struct& options, const OptionFacts& facts) {
  using Value = typename MemberOf<member>::Value;
  const Value& value = options.*member;
  if constexpr (std::is_enum_v<Value>) {
    const auto index = static_cast<std::int64_t>(value);
    const bool has_word = index >= 0 && index < std::ssize(facts.words);
    if (has_word) return std::string(facts.words[static_cast<std::size_t>(index)]);
    return index;
  } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    return std::in_range<std::int64_t>(value) ? static_cast<std::int64_t>(value) : most;
  } else {
    return value;
  }
}

template <auto member>
void write_member(typename MemberOf<member>::Struct& options, const OptionFacts& facts, const OptionValue& value) {
  using Value = typename MemberOf<member>::Value;
  if constexpr (std::is_enum_v<Value>) {
    const auto word = std::find(facts.words.begin(), facts.words.end(), std::get<std::string>(value));
    options.*member = static_cast<Value>(word - facts.words.begin());
  } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
    options.*member = static_cast<Value>(std::get<std::int64_t>(value));
  } else if constexpr (std::is_floating_point_v<Value>) {
    const auto* const whole = std::get_if<std::int64_t>(&value);
    options.*member = whole != nullptr ? static_cast<Value>(*whole) : static_cast<Value>(std::get<double>(value));
  } else {
    options.*member = std::get<Value>(value);
  }
}

template <class Value>
constexpr OptionKind kind_of() {
  if (std::is_same_v<Value, bool>) return OptionKind::flag;
  if (std::is_enum_v<Value>) return OptionKind::choice;
  if (std::is_floating_point_v<Value>) return OptionKind::number;
  return std::is_integral_v<Value> ? OptionKind::integer : OptionKind::text;
}

/// The row of a member. Option explains `follow`.
template <auto member, class Options = typename MemberOf<member>::Struct>
Option<Options> option(const OptionFacts& facts, void (*follow)(Options&, const Options&) = nullptr) {
  using Value = typename MemberOf<member>::Value;
  Option<Options> row{facts, read_member<member>, write_member<member>, follow};
  row.kind = kind_of<Value>();
  row.is_bounded = facts.low > OptionFacts().low || facts.high < OptionFacts().high;
  if constexpr (kind_of<Value>() == OptionKind::integer) {
    row.low = std::max(row.low, static_cast<double>(std::numeric_limits<Value>::min()));
    row.high = std::min(row.high, static_cast<double>(std::numeric_limits<Value>::max()));
  }
  return row;
}

/// Choices that several algorithms share.
inline constexpr std::array<std::string_view, 2> luma_words{"bt709", "bt601"};
inline constexpr std::array<std::string_view, 2> grey_words{"device", "host"};
inline constexpr std::array<std::string_view, 2> descriptor_words{"sift", "rootsift"};
inline constexpr std::array<std::string_view, 2> trilateral_window_words{"power-of-two", "certified"};
inline constexpr std::array<std::string_view, 2> trilateral_order_words{"windows", "rows"};

/// Conditions that several algorithms share: a budget of points, and orientations other than 0.
inline constexpr std::array budget_need{OptionNeed{"max_features", "0", true}};
inline constexpr std::array turned_need{OptionNeed{"upright", "false"}};

}  // namespace octavo
