#include "io/files/matching_paths.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "io/files/files_below.h"
#include "io/files/name_matches.h"

namespace octavo::io {
namespace {

namespace fs = std::filesystem;

// Replaces places by what matches one component of the pattern in them.
class Expansion {
 public:
  explicit Expansion(const fs::path& start) : places_{start} {}

  void follow(const fs::path& component) {
    const bool is_pattern = component.string().find_first_of("*?[\\") != std::string::npos;
    for (const fs::path& place : std::exchange(places_, {})) {
      if (is_pattern) {
        add_matches(place, component);
      } else {
        add_there(place, component);
      }
    }
  }

  MatchingPaths take() && {
    std::ranges::sort(places_, {}, [](const fs::path& path) -> const fs::path::string_type& { return path.native(); });
    return {std::move(places_), {problems_.begin(), problems_.end()}};
  }

 private:
  void add_matches(const fs::path& folder, const fs::path& component) {
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path name = entry->path().filename();
      if (name_matches(component, name)) places_.push_back(folder / name);
    }
    const bool is_no_folder = error == std::errc::not_a_directory || error == std::errc::no_such_file_or_directory;
    if (error && !is_no_folder) problems_.insert(unreadable_folder(folder, error));
  }

  void add_there(const fs::path& folder, const fs::path& component) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(folder / component, error);
    if (fs::exists(status)) {
      places_.push_back(folder / component);
    } else if (status.type() != fs::file_type::not_found) {
      problems_.insert(unreadable_folder(folder, error));
    }
  }

  std::vector<fs::path> places_;
  std::set<std::string> problems_;
};

}  // namespace

MatchingPaths matching_paths(const fs::path& pattern) {
  Expansion expansion(pattern.root_path());
  for (const fs::path& component : pattern.relative_path()) expansion.follow(component);
  return std::move(expansion).take();
}

}  // namespace octavo::io
