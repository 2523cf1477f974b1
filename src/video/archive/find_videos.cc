// From places to videos.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>

#include "io/files/files_below.h"
#include "octavo/io/image_formats.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  explicit Collector(bool images) : images_(images) {}

  void add(const fs::path& place) {
    if (place.empty()) {
      found_.problems.emplace_back("'': a file has no empty name");
      return;
    }
    std::error_code error;
    if (!fs::is_directory(place, error)) return add_file(place, place.filename());
    io::FilesBelow below = io::files_below(place, true);
    std::erase_if(below.files, [&](const fs::path& file) { return !is_wanted(file); });
    if (below.files.empty() && below.problems.empty()) {
      below.problems.push_back(
          fmt::format("{}: the folder holds no videos{}", place.string(), images_ ? " and no images" : ""));
    }
    for (const fs::path& file : below.files) add_file(file, file.lexically_relative(place));
    std::ranges::move(below.problems, std::back_inserter(found_.problems));
  }

  VideoFiles take() { return std::move(found_); }

 private:
  [[nodiscard]] bool is_wanted(const fs::path& file) const {
    return looks_like_video(file) || (images_ && looks_like_image(file));
  }

  void add_file(const fs::path& file, const fs::path& name) {
    if (!seen_.insert(archive_path(file)).second) return;
    found_.files.push_back(file);
    found_.names.push_back(name.generic_string());
  }

  bool images_;
  VideoFiles found_;
  std::set<fs::path> seen_;
};

}  // namespace

VideoFiles find_videos(std::span<const std::string> places, bool images) {
  Collector collector(images);
  for (const std::string& place : places) collector.add(place);
  return collector.take();
}

}  // namespace octavo
