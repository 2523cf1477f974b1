// From places of the disk, and archives, to clips and images.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "io/files/files_below.h"
#include "jobs/readable_clips.h"
#include "octavo/io/image_formats.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"
#include "video/archive/known_clips.h"

namespace octavo {
namespace {

// A file of each content, sorted.
PlaceFiles files_of_archives(std::span<const VideoArchive> archives) {
  PlaceFiles found;
  for (const auto& [content, known] : archive::known_clips(archives)) {
    const std::filesystem::path file = jobs::readable_file(known.clip, archives);
    if (!file.empty()) {
      found.files.push_back(file);
      continue;
    }
    found.problems.push_back(
        fmt::format("'{}' is gone or has changed since it was indexed", known.clip.files.front().string()));
  }
  std::ranges::sort(found.files);
  std::ranges::sort(found.problems);
  return found;
}

}  // namespace

PlaceFiles find_place_files(std::span<const std::string> places, std::span<const VideoArchive> archives) {
  namespace fs = std::filesystem;
  PlaceFiles found = files_of_archives(archives);
  std::set<fs::path> seen(found.files.begin(), found.files.end());
  const auto add = [&](const fs::path& file) {
    if (seen.insert(fs::absolute(file).lexically_normal()).second) found.files.push_back(file);
  };
  for (const std::string& place : places) {
    if (place.empty()) {
      found.problems.emplace_back("'': a file has no empty name");
      continue;
    }
    std::error_code error;
    if (!fs::is_directory(place, error)) {
      add(place);
      continue;
    }
    io::FilesBelow below = io::files_below(place, true);
    std::erase_if(below.files, [](const fs::path& file) { return !looks_like_image(file) && !looks_like_video(file); });
    if (below.files.empty() && below.problems.empty()) {
      below.problems.push_back(fmt::format("{}: the folder holds no images and no videos", place));
    }
    std::ranges::for_each(below.files, add);
    std::ranges::move(below.problems, std::back_inserter(found.problems));
  }
  return found;
}

}  // namespace octavo
