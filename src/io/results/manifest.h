#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/results/result_folder.h"

// The text of a manifest and of its journal; see octavo::ResultFolder.

namespace octavo::io {

/// What the lines of a manifest or journal say, in their order.
struct ManifestLines {
  std::vector<std::pair<std::string, ResultRecord>> records;  ///< a name can occur again: the later one is newer
  std::map<std::string, std::string> settings;                ///< the values, as JSON, by their digest
};

/// Reads lines. A line that is damaged, incomplete, or names a file outside the folder is left out.
ManifestLines parse_manifest(std::string_view text);

/// Whether the text begins with the first line of a manifest.
bool is_manifest(std::string_view text);

/// A line, with its end.
std::string line_of_settings(const std::string& digest, const std::string& values);
std::string line_of_record(const std::string& name, const ResultRecord& record);

/// The whole manifest: its first line, the settings that records name, and the records.
std::string manifest_text(const std::map<std::string, ResultRecord>& records,
                          const std::map<std::string, std::string>& settings);

}  // namespace octavo::io
