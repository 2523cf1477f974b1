// octavo video list: what is in an archive.

#include "cli/command.h"
#include "cli/video/video.h"
#include "jobs/archive_list.h"

namespace octavo::cli {
void add_video_list(Command& video) {
  struct Call {
    std::filesystem::path folder;
    bool json = false;
  };
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "list", video_list_txt);
  command.add_option("--index", call->folder).required();
  command.add_flag("--json", call->json);
  command.callback([call] {
    const VideoArchive archive(call->folder);
    const ArchiveList list = list_of(archive);
    print_whole(call->json ? json_of(archive, list) + "\n" : text_of(archive, list));
  });
}

}  // namespace octavo::cli
