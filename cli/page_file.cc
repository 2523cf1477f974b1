// Checks before the work that the page can be written, so that the error does not come after it.

#include "cli/page_file.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cctype>
#include <system_error>

#include "octavo/error.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

std::string why_unwritable(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) return "it is a folder";
  if (fs::exists(file, error)) return access(file.c_str(), W_OK) == 0 ? "" : "it is read-only";
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return fmt::format("there is no folder '{}'", folder.string());
  return access(folder.c_str(), W_OK | X_OK) == 0 ? "" : fmt::format("the folder '{}' is read-only", folder.string());
}

}  // namespace

void require_page_file(const std::string& option, const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (ending != ".html" && ending != ".htm") {
    throw CLI::ValidationError(
        option,
        fmt::format("'{}' does not end in .html or .htm, and pages of other kinds cannot be written", file.string()));
  }
  if (const std::string why = why_unwritable(file); !why.empty()) {
    throw Error(ErrorCode::file_error, fmt::format("cannot write '{}': {}", file.string(), why));
  }
}

}  // namespace octavo::cli
