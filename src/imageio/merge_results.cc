// Folders of results become one. What is there already stays, so a merge that was killed is done again quickly.

#include <fmt/core.h>

#include <map>
#include <vector>

#include "octavo/error.h"
#include "octavo/result_folder.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

bool is_same(const ResultRecord& a, const ResultRecord& b) {
  return a.digest == b.digest && a.settings == b.settings && a.source.digest == b.source.digest;
}

}  // namespace

std::size_t merge_results(const fs::path& to, std::span<const fs::path> parts) {
  std::vector<ResultFolder> folders;
  for (const fs::path& part : parts) folders.emplace_back(part);
  std::map<std::string, const ResultFolder*> owners;
  for (const ResultFolder& folder : folders) {
    for (const auto& [name, record] : folder.records()) {
      const auto [owner, is_new] = owners.emplace(name, &folder);
      if (is_new || is_same(owner->second->records().at(name), record)) continue;
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot merge '{}' and '{}': both have '{}', with different content",
                              owner->second->folder().string(), folder.folder().string(), name));
    }
  }
  const ResultFolder merged(to);
  for (const auto& [name, owner] : owners) {
    const auto known = merged.records().find(name);
    if (known != merged.records().end() && is_same(known->second, owner->records().at(name))) continue;
    merged.adopt(*owner, name);
  }
  merged.finish();
  return owners.size();
}

}  // namespace octavo
