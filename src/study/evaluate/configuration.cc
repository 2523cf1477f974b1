// Makes pipelines of configurations, and writes configurations as JSON.

#include <utility>

#include "io/json/json.h"
#include "study/evaluate/comparison.h"

namespace octavo {

Pipeline pipeline_of(const Configuration& configuration, const DeviceOptions& device) {
  FindFeatures find = configuration.features.empty() ? features_by(make_extractor(configuration.detector, device))
                                                     : features_in(configuration.features);
  return {configuration.name, std::move(find), max_features_of(configuration.detector), configuration.match, device};
}

std::string json_of(const Configuration& configuration) {
  Json json{{"name", configuration.name}};
  if (!configuration.features.empty()) {
    json["features"] = configuration.features.string();
    json["max_features"] = max_features_of(configuration.detector);
  } else {
    json["arguments"] = configuration.arguments;
    json.update(parse_json(json_of(configuration.detector)));
  }
  json.update(parse_json(json_of(option_table<MatchOptions>(), configuration.match)));
  if (configuration.match.max_distance2 == MatchOptions().max_distance2) json["max_distance2"] = nullptr;
  return json_text(json);
}

}  // namespace octavo
