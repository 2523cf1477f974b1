// Options as differences: a reader wants to know in what configurations differ, not all that they have in common.

#include "study/evaluate/configurations_table.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "study/evaluate/evaluation_json.h"

namespace octavo::evaluation {
namespace {

std::string word_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "none" : json_text(value);
}

// The options in which a configuration differs from another one, as "ratio 0.9 (0.8)".
std::string difference(const Json& configuration, const Json& other) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : configuration.items()) {
    if (name == "name" || name == "arguments" || name == "features") continue;
    const Json* const same = other.find(name);
    if (same == nullptr || *same == value) continue;
    parts.push_back(fmt::format("{} {} ({})", name, word_of(value), word_of(*same)));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

Json defaults_of(const Configuration& configuration) {
  return as_json(Configuration{.name = "", .detector = detector_options(detector_of(configuration.detector).name)});
}

std::string source_of(const Configuration& configuration) {
  if (!configuration.features.empty()) return fmt::format("files in {}", configuration.features.string());
  return std::string(detector_of(configuration.detector).title);
}

}  // namespace

Table configurations_table(std::span<const Configuration> configurations) {
  Table table{.header = {"configuration", "points", "as it was called", "compared with", "options that differ (there)"},
              .rows = {},
              .words = 5};
  const Configuration& first = configurations.front();
  for (const Configuration& configuration : configurations) {
    const bool is_first = &configuration == &first;
    const bool is_alike = configuration.detector.index() == first.detector.index();
    const Json other = is_first || !is_alike ? defaults_of(configuration) : as_json(first);
    table.rows.push_back(
        {configuration.name, source_of(configuration), configuration.arguments.empty() ? "-" : configuration.arguments,
         is_first || !is_alike ? fmt::format("the defaults of {}", detector_of(configuration.detector).title)
                               : first.name,
         difference(as_json(configuration), other)});
  }
  return table;
}

}  // namespace octavo::evaluation
