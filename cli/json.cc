#include "cli/json.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace octavo::cli {

Json parse_json(std::string_view text) { return Json::parse(text); }

Json known_json(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace octavo::cli
