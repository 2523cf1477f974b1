// Words of a line of text, such as a list of pairs. A word in quotes may hold blanks: "a b.jpg", with \" and \\ for a
// quote and a backslash.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octavo {

inline constexpr std::string_view blanks = " \t\r\n\v\f";

/// None where a quote has no end, or goes on behind it.
std::optional<std::vector<std::string>> words_of(std::string_view line);

}  // namespace octavo
