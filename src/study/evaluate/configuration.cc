// Checks configurations, makes pipelines of them, and writes them as JSON.

#include "octavo/study/evaluation.h"

#include <fmt/core.h>

#include <filesystem>
#include <set>
#include <utility>

#include "io/json/json.h"
#include "octavo/error.h"
#include "study/evaluate/comparison.h"

namespace octavo {

void set_budget(Configuration& configuration, int max_features) {
  const DetectorFacts& detector = detector_of(configuration.detector);
  if (detector.find("max_features") != nullptr) {
    set_option(configuration.detector, "max_features", max_features);
  } else if (max_features > 0) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"max_features", std::to_string(max_features),
                              fmt::format("{} has no such budget, by which all are compared", detector.name)});
  }
}

void validate(std::span<const Configuration> configurations) {
  const auto refuse = [](const Configuration& one, const char* option, const std::string& value, const char* reason) {
    throw Error(ErrorCode::invalid_option, InvalidOption{option, fmt::format("\"{}\"", value), reason},
                fmt::format("configuration '{}':", one.name));
  };
  if (configurations.empty()) {
    throw Error(ErrorCode::invalid_option, InvalidOption{"configuration", "empty", "there must be one"});
  }
  std::set<std::string> names;
  for (const Configuration& one : configurations) {
    const bool is_of_octavo = one.features.empty();
    if (!names.insert(one.name).second) {
      refuse(one, is_of_octavo ? "configuration" : "features", one.name,
             "there is one of this name already, each needs a name of its own");
    }
    if (!is_of_octavo && !std::filesystem::is_directory(one.features)) {
      refuse(one, "features", one.features.string(), "there is no such folder");
    }
    validate(one.detector);
    validate(one.match);
  }
}

Pipeline pipeline_of(const Configuration& configuration, const DeviceOptions& device) {
  FindFeatures find = configuration.features.empty() ? features_by(make_extractor(configuration.detector, device))
                                                     : features_in(configuration.features);
  return {configuration.name,  std::move(find), max_features_of(configuration.detector),
          configuration.match, device,          configuration.refine};
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
  json["refine"] = configuration.refine;
  if (configuration.match.max_distance2 == MatchOptions().max_distance2) json["max_distance2"] = nullptr;
  return json_text(json);
}

}  // namespace octavo
