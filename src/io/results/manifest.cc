// Manifests are JSON Lines (jsonlines.org): a killed process leaves at most one incomplete line, at the end of the
// journal. Both files may come from anywhere, so nothing in them is trusted.

#include "io/results/manifest.h"

#include <algorithm>
#include <set>

#include "io/files/inside_name.h"
#include "io/json/json.h"

namespace octavo::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "{\"octavo_manifest\":2}\n";

// Bytes of names that are not UTF-8 become U+FFFD. Such a file is made again each time.
std::string text_of(const Json& json) { return json_text(json) + "\n"; }

// Throws Json::exception where a member is missing or of another type.
void add_line(ManifestLines& lines, const Json& line) {
  if (line.contains("values")) {
    lines.settings[line.at("settings").get<std::string>()] = json_text(line.at("values"));
    return;
  }
  if (!line.contains("file")) return;
  const auto name = line.at("file").get<std::string>();
  if (!is_inside(name)) return;
  const Json& source = line.at("source");
  lines.records.emplace_back(name, ResultRecord{.size = line.at("size").get<std::uint64_t>(),
                                                .digest = line.at("digest").get<std::string>(),
                                                .settings = line.at("settings").get<std::string>(),
                                                .keypoints = line.at("keypoint_count").get<std::uint64_t>(),
                                                .source = {.file = source.at("file").get<std::string>(),
                                                           .size = source.at("size").get<std::uint64_t>(),
                                                           .modified = source.at("modified").get<std::int64_t>(),
                                                           .digest = source.at("digest").get<std::string>()}});
}

}  // namespace

bool is_manifest(std::string_view text) { return text.starts_with(first_line); }

ManifestLines parse_manifest(std::string_view text) {
  ManifestLines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Json line = shallow_json(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.is_object()) continue;
    try {
      add_line(lines, line);
    } catch (const Json::exception&) {  // a damaged line
      continue;
    }
  }
  return lines;
}

std::string line_of_settings(const std::string& digest, const std::string& values) {
  return text_of({{"settings", digest}, {"values", parse_json(values)}});
}

std::string line_of_record(const std::string& name, const ResultRecord& record) {
  const Json source = {{"file", record.source.file.generic_string()},
                       {"size", record.source.size},
                       {"modified", record.source.modified},
                       {"digest", record.source.digest}};
  return text_of({{"file", name},
                  {"size", record.size},
                  {"digest", record.digest},
                  {"keypoint_count", record.keypoints},
                  {"settings", record.settings},
                  {"source", source}});
}

std::string manifest_text(const std::map<std::string, ResultRecord>& records,
                          const std::map<std::string, std::string>& settings) {
  std::set<std::string> in_use;
  for (const auto& [name, record] : records) in_use.insert(record.settings);
  std::string text(first_line);
  for (const auto& [digest, values] : settings) {
    if (in_use.contains(digest)) text += line_of_settings(digest, values);
  }
  for (const auto& [name, record] : records) text += line_of_record(name, record);
  return text;
}

}  // namespace octavo::io
