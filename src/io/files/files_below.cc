#include "io/files/files_below.h"

#include <fmt/core.h>

#include <algorithm>

namespace octavo::io {
namespace {

namespace fs = std::filesystem;

// The folders in the folder.
std::vector<fs::path> add_files(const fs::path& folder, FilesBelow& found) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with('.')) continue;
    std::error_code not_there;
    if (entry->symlink_status(not_there).type() == fs::file_type::directory) {
      folders.push_back(entry->path());
    } else if (entry->is_regular_file(not_there)) {
      found.files.push_back(entry->path());
    }
  }
  if (error) found.problems.push_back(unreadable_folder(folder, error));
  return folders;
}

}  // namespace

std::string unreadable_folder(const fs::path& folder, const std::error_code& error) {
  return fmt::format("{}: the folder cannot be read: {}", folder.empty() ? "." : folder.string(), error.message());
}

FilesBelow files_below(const fs::path& folder, bool recursive) {
  FilesBelow found;
  std::vector<fs::path> waiting{folder};
  while (!waiting.empty()) {
    const fs::path next = std::move(waiting.back());
    waiting.pop_back();
    const std::vector<fs::path> folders = add_files(next, found);
    if (recursive) waiting.insert(waiting.end(), folders.begin(), folders.end());
  }
  std::ranges::sort(found.files);
  std::ranges::sort(found.problems);
  return found;
}

}  // namespace octavo::io
