#include "cli/video/archive.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <set>

#include "cli/command_line.h"
#include "cli/wrong_call.h"
#include "video/report/report_files.h"

namespace octavo::cli {

void add_archive_option(Command& command, std::string& folder, const std::string& description) {
  command.add_option("--index", folder, description).required().type_name("DIR");
}

void add_archives_option(Command& command, std::vector<std::string>& folders) {
  command
      .add_option("--index", folders,
                  "The folder of the archive. Given again, several archives are searched as if they were one.")
      .required()
      .type_name("DIR");
}

std::vector<VideoArchive> open_archives(const std::vector<std::string>& folders) {
  std::set<std::filesystem::path> seen;
  std::vector<VideoArchive> archives;
  for (const std::string& folder : folders) {
    if (!seen.insert(archive_path(folder)).second) {
      throw WrongCall("--index", fmt::format("the archive '{}' is given twice", folder));
    }
    archives.emplace_back(folder);
  }
  return archives;
}

Json clip_json(const ArchivedClip& clip) { return parse_json(json_of(clip)); }

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.95 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace octavo::cli
