// octavo video list: what is in an archive.

#include "cli/command.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "jobs/archive_list.h"

namespace octavo::cli {
namespace {

std::string as_text(const VideoArchive& archive, const ArchiveList& list) {
  constexpr auto row = "{:>9}  {:>8}  {:<10}  {:>9}  {:<6}  {}\n";
  const auto size_text = [](std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  std::string text = fmt::format(row, "length", "size", "codec", "image", "state", "file");
  for (const ArchivedFile& file : list.files) {
    if (!file.clip) {
      const std::string size = file.stamp ? size_text(file.stamp->size) : "";
      text += fmt::format(row, "", size, "", "", "failed", file.file.string() + ": " + file.failure);
      continue;
    }
    const ArchivedClip& clip = list.clips.at(*file.clip);
    text += fmt::format(row, is_image(clip.facts) ? "image" : clock_text(clip.facts.seconds), size_text(clip.size),
                        clip.facts.codec, fmt::format("{}x{}", clip.facts.width, clip.facts.height), "done",
                        file.file.string());
  }
  text += fmt::format(
      "{} files, {} failed; {} clips, {:.1f} hours, {} of video, {} of signatures, {:.1f} times real time\n",
      list.files.size(), list.failed, list.clips.size(), list.seconds / 3600, size_text(list.size),
      size_text(list.signature_size), list.times_real_time());
  return text + fmt::format("digest {}\n", archive.digest());
}

}  // namespace

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
    print_whole(call->json ? json_of(archive, list) + "\n" : as_text(archive, list));
  });
}

}  // namespace octavo::cli
