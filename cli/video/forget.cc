// octavo video forget: removes clips from an archive.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(remove clips from an archive

Removes files from an archive (octavo video index), and the signatures that no
other file has. The files themselves are not touched, and need not exist. A
folder stands for all files of the archive below it. Verdicts on the clips stay
for the day when they come back.)";

constexpr auto footer = R"(Examples:
  octavo video forget a.mp4 b.mov --index archive
  octavo video forget /films/old --index archive

Exit codes:
  0  done
  1  the archive does not know one of the files; the others are removed. Or it
     cannot be written
  2  the call was wrong)";

bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

int run(const std::vector<std::string>& names, const std::filesystem::path& folder) {
  VideoArchive archive(folder);
  bool all_known = true;
  std::size_t forgotten = 0;
  for (const std::string& name : names) {
    const std::filesystem::path path = archive_path(name);
    std::size_t of_this_name = 0;
    for (const ArchivedFile& file : archive.files()) {
      if (is_below(file.file, path) && archive.forget(file.file)) ++of_this_name;
    }
    if (of_this_name == 0) complain(fmt::format("'{}' is not in the archive '{}'", name, folder.string()));
    all_known = all_known && of_this_name > 0;
    forgotten += of_this_name;
  }
  fmt::print("{} {} forgotten\n", forgotten, forgotten == 1 ? "file" : "files");
  return all_known ? exit_done : exit_failed;
}

}  // namespace

void add_video_forget(Command& video, int& exit_code) {
  struct Call {
    std::vector<std::string> names;
    std::filesystem::path folder;
  };
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "forget", description, footer);
  command.add_option("CLIP", call->names, "The files, and folders of files.").required().type_name("FILE");
  add_archive_option(command, call->folder, "The folder of the archive.");
  command.callback([call, &exit_code] { exit_code = run(call->names, call->folder); });
}

}  // namespace octavo::cli
