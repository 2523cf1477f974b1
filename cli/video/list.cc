// octavo video list: what is in an archive.

#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "jobs/archive_list.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(list the clips of an archive

Prints a line for each file of the archive (octavo video index): its length,
size, codec and image, or why it could not be indexed. Then the totals, and a
digest of the archive.)";

constexpr auto footer = R"(JSON:
  {"archive": "archive",
   "settings": {"every": 0, "fps": 2, "max_features": 256, ...},
   "clips": [{"clip": "/films/a.mp4", "given": "a.mp4", "state": "done",
              "problems": [], "facts": {...}},
             {"clip": "/films/b.mp4", "given": "b.mp4", "state": "failed",
              "problems": ["it is empty"], "facts": null}],
   "totals": {"clip_count": 2, "failed_count": 1, "content_count": 1,
              "seconds": 60.0, "size": 8123456, "signature_size": 612345,
              "work_seconds": 1.5, "times_real_time": 40.0},
   "digest": "5d41..."}
Facts are as those of octavo video index --json. Files of the same content have
the same facts; totals count them once. Sizes are in bytes: those of the clips,
and of their signatures. The digest is that of the settings, the contents and
the signatures, whatever the files are called and in whatever order they came.

Examples:
  octavo video list --index archive
  octavo video list --index archive --json

Exit codes:
  0  done
  1  there is no archive, or it cannot be read
  2  the call was wrong)";

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
  Command& command = add_command(video, "list", description, footer);
  add_archive_option(command, call->folder, "The folder of the archive.");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.callback([call] {
    const VideoArchive archive(call->folder);
    const ArchiveList list = list_of(archive);
    print_whole(call->json ? json_of(archive, list) + "\n" : as_text(archive, list));
  });
}

}  // namespace octavo::cli
