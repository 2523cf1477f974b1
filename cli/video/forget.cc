// octavo video forget: removes clips from an archive.

#include "cli/command.h"
#include "jobs/archive_list.h"
#include "jobs/figures_text.h"

namespace octavo::cli {
namespace {

int run(const std::vector<std::string>& names, const std::filesystem::path& folder) {
  VideoArchive archive(folder);
  bool all_known = true;
  std::size_t forgotten = 0;
  for (const std::string& name : names) {
    const std::size_t of_this_name = forget_below(archive, name);
    if (of_this_name == 0) complain(fmt::format("'{}' is not in the archive '{}'", name, folder.string()));
    all_known = all_known && of_this_name > 0;
    forgotten += of_this_name;
  }
  fmt::print("{} forgotten\n", count_text(forgotten, "file"));
  return all_known ? exit_done : exit_failed;
}

}  // namespace

void define_video_forget(Command& command) {
  struct Call {
    std::vector<std::string> names;
    std::filesystem::path folder;
  };
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->names).required();
  command.add_option("--index", call->folder).required();
  command.action = [call] { return run(call->names, call->folder); };
}

}  // namespace octavo::cli
