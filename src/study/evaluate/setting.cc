// Makes contenders of settings, and writes settings as JSON.

#include <cmath>
#include <utility>

#include "io/json/json.h"
#include "study/evaluate/comparison.h"

namespace octavo {

Contender contender_of(const Setting& setting, const DeviceOptions& device) {
  FindFeatures find =
      setting.features.empty() ? features_by(make_extractor(setting.detector, device)) : features_in(setting.features);
  return {setting.name, std::move(find), max_features_of(setting.detector), setting.match, device};
}

std::string json_of(const Setting& setting) {
  Json json{{"name", setting.name}};
  if (!setting.features.empty()) {
    json["features"] = setting.features.string();
    json["max_features"] = max_features_of(setting.detector);
  } else {
    json["words"] = setting.words;
    json.update(parse_json(json_of(setting.detector)));
  }
  json.update(parse_json(json_of(option_table<MatchOptions>(), setting.match)));
  json.erase("max_distance2");  // JSON holds the distance, not its square
  const bool is_limited = setting.match.max_distance2 != MatchOptions().max_distance2;
  json["max_distance"] = is_limited ? Json(std::sqrt(setting.match.max_distance2)) : nullptr;
  return json_text(json);
}

}  // namespace octavo
