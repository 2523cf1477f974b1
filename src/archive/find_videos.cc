// From places to videos.

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "octavo/index_clips.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  void add(const fs::path& place) {
    std::error_code error;
    if (!fs::is_directory(place, error)) return add_file(place, place.filename());
    const std::size_t problems = found_.problems.size();
    if (!add_folder(place, place) && found_.problems.size() == problems) {
      found_.problems.push_back(fmt::format("{}: the folder holds no videos", place.string()));
    }
  }

  VideoFiles take() { return std::move(found_); }

 private:
  void add_file(const fs::path& file, const fs::path& name) {
    if (!seen_.insert(archive_path(file)).second) return;
    found_.files.push_back(file);
    found_.names.push_back(name.generic_string());
  }

  // Returns whether there is a video. Links to folders are not followed, since they may lead back.
  bool add_folder(const fs::path& folder, const fs::path& root) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      entries.push_back(entry->path());
    }
    if (error)
      found_.problems.push_back(fmt::format("{}: the folder cannot be read: {}", folder.string(), error.message()));
    std::sort(entries.begin(), entries.end());
    bool has_videos = false;
    for (const fs::path& entry : entries) {
      std::error_code is_gone;
      if (fs::symlink_status(entry, is_gone).type() == fs::file_type::directory) {
        has_videos = add_folder(entry, root) || has_videos;
      } else if (looks_like_video(entry) && fs::is_regular_file(entry, is_gone)) {
        add_file(entry, entry.lexically_relative(root));
        has_videos = true;
      }
    }
    return has_videos;
  }

  VideoFiles found_;
  std::set<fs::path> seen_;
};

}  // namespace

VideoFiles find_videos(std::span<const std::string> places) {
  Collector collector;
  for (const std::string& place : places) collector.add(place);
  return collector.take();
}

}  // namespace octavo
