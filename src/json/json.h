// JSON of Octavo's files and pages, and of the messages between its processes. Members keep their order.
// nlohmann-json's parser and writer are templates: with the sanitizers' checks the compiler needs 15 s for the one and
// 6 s for the other in each file that calls them. So they are compiled once, behind the functions of this file.

#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace octavo {

using Json = nlohmann::ordered_json;

/// JSON of any depth. Throws Json::exception: a number may also be too large.
Json parse_json(std::string_view text);

/// JSON of a file that may come from anywhere; null if it is damaged or nested deeper than the files of Octavo.
/// nlohmann-json writes and flattens nested values by recursion, so that deep ones would overflow the stack.
Json shallow_json(std::string_view text);

/// A member of the object in a file, without room for the others; null if it is not there or the file is damaged.
Json member_of(std::istream& stream, std::string_view name);

/// UTF-8, on one line or with `indent` spaces for each level. Bytes that are not UTF-8, which file names may contain,
/// become U+FFFD.
std::string json_text(const Json& json, int indent = -1);

}  // namespace octavo
