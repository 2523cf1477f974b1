#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace octavo::cli {

/// JSON as text: on one line, or with an indentation of `indent` spaces per level. Bytes that are not UTF-8, which file
/// names may contain, become U+FFFD.
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace octavo::cli
