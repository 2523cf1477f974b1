// From arguments (files, folders, patterns) to a list of pictures.

#include "cli/inputs.h"

#include <fmt/core.h>
#include <glob.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

template <typename Iterator>
std::vector<fs::path> pictures_under(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (Iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code not_there;
    if (entry->is_regular_file(not_there) && looks_like_picture(entry->path())) files.push_back(entry->path());
  }
  if (error) throw fs::filesystem_error("cannot be listed", folder, error);
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> matches(const std::string& pattern) {
  glob_t found{};
  const std::unique_ptr<glob_t, decltype(&globfree)> owner(&found, globfree);
  if (glob(pattern.c_str(), 0, nullptr, &found) != 0) return {};
  return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

// Collects inputs, each file once.
class Collector {
 public:
  explicit Collector(bool recursive) : recursive_(recursive) {}

  void add(const std::string& argument) {
    std::error_code error;
    const bool is_pattern = argument.find_first_of("*?[") != std::string::npos && !fs::exists(argument, error);
    if (!is_pattern) return add_path(argument);
    const auto paths = matches(argument);
    if (paths.empty()) inputs_.problems.push_back(fmt::format("{}: no file matches this pattern", argument));
    for (const fs::path& path : paths) add_path(path);
  }

  Inputs take() { return std::move(inputs_); }

 private:
  void add_path(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return add_picture(path, path.filename());
    try {
      const auto files = recursive_ ? pictures_under<fs::recursive_directory_iterator>(path)
                                    : pictures_under<fs::directory_iterator>(path);
      if (files.empty()) inputs_.problems.push_back(fmt::format("{}: the folder holds no pictures", path.string()));
      for (const fs::path& file : files) add_picture(file, file.lexically_relative(path));
    } catch (const fs::filesystem_error& failure) {
      inputs_.problems.push_back(
          fmt::format("{}: the folder cannot be read: {}", path.string(), failure.code().message()));
    }
  }

  void add_picture(const fs::path& file, const fs::path& name) {
    if (seen_.insert(fs::absolute(file).lexically_normal()).second) inputs_.pictures.push_back({file, name});
  }

  bool recursive_;
  Inputs inputs_;
  std::set<fs::path> seen_;
};

}  // namespace

Inputs find_inputs(std::span<const std::string> arguments, bool recursive) {
  Collector collector(recursive);
  for (const std::string& argument : arguments) collector.add(argument);
  return collector.take();
}

void require_distinct_names(std::span<const Input> pictures) {
  std::map<fs::path, fs::path> file_of;
  for (const Input& picture : pictures) {
    const auto [other, is_new] = file_of.emplace(picture.name, picture.file);
    if (!is_new) {
      throw CLI::ValidationError("--output", fmt::format("{} and {} have the same name, their results would overwrite "
                                                         "each other; give them one call each",
                                                         other->second.string(), picture.file.string()));
    }
  }
}

}  // namespace octavo::cli
