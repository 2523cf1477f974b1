#include "json/json.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace octavo {

Json parse_json(std::string_view text) { return Json::parse(text); }

Json shallow_json(std::string_view text) {
  constexpr int deepest = 16;
  bool is_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, const Json&) {
    is_deep = is_deep || depth > deepest;
    return !is_deep;
  };
  Json json = Json::parse(text, look, false);
  return is_deep || json.is_discarded() ? Json() : json;
}

Json member_of(std::istream& stream, std::string_view name) {
  const auto is_wanted = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || parsed == name;
  };
  const Json object = Json::parse(stream, is_wanted, false);
  return object.is_object() && object.contains(name) ? object[name] : Json();
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace octavo
