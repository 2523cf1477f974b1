// octavo video list: what is in an archive.

#include "cli/command.h"
#include "jobs/archive_list.h"

namespace octavo::cli {
void define_video_list(Command& command) {
  struct Call {
    std::filesystem::path folder;
    bool json = false;
  };
  const auto call = std::make_shared<Call>();
  command.add_option("--index", call->folder).required();
  command.add_flag("--json", call->json);
  command.action = [call] {
    const VideoArchive archive(call->folder);
    const ArchiveList list = list_of(archive);
    print_whole(call->json ? json_of(archive, list) + "\n" : text_of(archive, list), call->json);
    return exit_done;
  };
}

}  // namespace octavo::cli
