// From places of the disk to clips and images.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "io/files/files_below.h"
#include "octavo/io/image_formats.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo {

PlaceFiles find_place_files(std::span<const std::string> places) {
  namespace fs = std::filesystem;
  PlaceFiles found;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& file) {
    if (seen.insert(fs::absolute(file).lexically_normal()).second) found.files.push_back(file);
  };
  for (const std::string& place : places) {
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
