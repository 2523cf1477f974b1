#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace octavo::cli {

/// JSON whose members keep their order. Its parser and writer are templates that take long to compile, so they are
/// compiled once, behind these functions.
using Json = nlohmann::ordered_json;

/// JSON of Octavo's own making. Throws Json::exception.
Json parse_json(std::string_view text);

/// JSON of a file that may come from anywhere; null if it is damaged.
Json known_json(std::string_view text);

/// JSON as text: on one line, or with an indentation of `indent` spaces per level. Bytes that are not UTF-8, which file
/// names may contain, become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

}  // namespace octavo::cli
