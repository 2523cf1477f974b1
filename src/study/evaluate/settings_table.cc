// Options as differences: a reader wants to know in what settings differ, not all that they have in common.

#include "study/evaluate/settings_table.h"

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

// The options in which a setting differs from another one, as "ratio 0.9 (0.8)".
std::string difference(const Json& setting, const Json& other) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : setting.items()) {
    if (name == "name" || name == "words" || name == "features") continue;
    const Json* const same = other.find(name);
    if (same == nullptr || *same == value) continue;
    parts.push_back(fmt::format("{} {} ({})", name, word_of(value), word_of(*same)));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

Json defaults_of(const Setting& setting) {
  return as_json(Setting{.name = "", .detector = detector_options(detector_of(setting.detector).name)});
}

std::string source_of(const Setting& setting) {
  if (!setting.features.empty()) return fmt::format("files in {}", setting.features.string());
  return std::string(detector_of(setting.detector).title);
}

}  // namespace

Table settings_table(std::span<const Setting> settings) {
  Table table{.header = {"setting", "points", "as it was called", "compared with", "options that differ (there)"},
              .rows = {},
              .words = 5};
  const Setting& first = settings.front();
  for (const Setting& setting : settings) {
    const bool is_first = &setting == &first;
    const bool is_alike = setting.detector.index() == first.detector.index();
    const Json other = is_first || !is_alike ? defaults_of(setting) : as_json(first);
    table.rows.push_back(
        {setting.name, source_of(setting), setting.words.empty() ? "-" : setting.words,
         is_first || !is_alike ? fmt::format("the defaults of {}", detector_of(setting.detector).title) : first.name,
         difference(as_json(setting), other)});
  }
  return table;
}

}  // namespace octavo::evaluation
