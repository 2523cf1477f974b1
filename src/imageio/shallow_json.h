#pragma once

#include <string_view>

namespace octavo::imageio {

/// JSON of a file that may come from anywhere; null if it is damaged or nested deeper than the files of Octavo.
/// nlohmann-json writes and flattens nested values by recursion, so that deep ones would overflow the stack.
template <class Json>
Json shallow_json(std::string_view text) {
  constexpr int deepest = 16;
  bool is_deep = false;
  const auto look = [&](int depth, typename Json::parse_event_t, const Json&) {
    is_deep = is_deep || depth > deepest;
    return !is_deep;
  };
  Json json = Json::parse(text, look, false);
  return is_deep || json.is_discarded() ? Json() : json;
}

}  // namespace octavo::imageio
