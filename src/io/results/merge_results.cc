// Folders of results become one, or one file of hloc's. What a folder has already stays, so a merge that was killed is
// done again quickly.

#include <fmt/core.h>

#include <map>
#include <vector>

#include "io/features/hloc.h"
#include "io/results/part_note.h"
#include "io/results/result_folder.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

bool is_same(const ResultRecord& a, const ResultRecord& b) {
  return a.digest == b.digest && a.settings == b.settings && a.source.digest == b.source.digest;
}

std::vector<ResultFolder> folders_at(std::span<const fs::path> parts) { return {parts.begin(), parts.end()}; }

// A folder that has it, for each result file.
using Owners = std::map<std::string, const ResultFolder*>;

Owners owners_in(std::span<const ResultFolder> folders) {
  Owners owners;
  for (const ResultFolder& folder : folders) {
    for (const auto& [name, record] : folder.records()) {
      const auto [owner, is_new] = owners.emplace(name, &folder);
      if (is_new || is_same(owner->second->records().at(name), record)) continue;
      refuse_other_content(owner->second->folder(), folder.folder(), name);
    }
  }
  return owners;
}

}  // namespace

std::size_t merge_results(const fs::path& to, std::span<const fs::path> parts) {
  const std::vector<ResultFolder> folders = folders_at(parts);
  const Owners owners = owners_in(folders);
  const ResultFolder merged(to);
  for (const auto& [name, owner] : owners) {
    const auto known = merged.records().find(name);
    if (known != merged.records().end() && is_same(known->second, owner->records().at(name))) continue;
    merged.adopt(*owner, name);
  }
  merged.finish();
  return owners.size();
}

std::size_t merge_hloc_features(const fs::path& to, std::span<const fs::path> parts) {
  const std::vector<ResultFolder> folders = folders_at(parts);
  const Owners owners = owners_in(folders);
  // By the paths of the images, so that the writer need not sort them.
  std::map<fs::path, fs::path> files;
  for (const auto& [name, owner] : owners) {
    if (!is_hloc_file(name)) continue;  // of an earlier job with another format
    const fs::path file = owner->folder() / name;
    if (read_source(file).source.digest != owner->records().at(name).digest) {
      throw Error(ErrorCode::file_error, fmt::format("cannot use '{}': it changed meanwhile", file.string()));
    }
    files.emplace(fs::path(name).replace_extension(), file);
  }
  HlocFeaturesWriter merged(to, HlocFeaturesWriter::Existing::replaced);
  for (const auto& [name, file] : files) merged.copy(HlocFeatures(file), name.generic_string());
  merged.finish();
  return files.size();
}

}  // namespace octavo
