// octavo video list: what is in an archive.

#include <fmt/core.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "io/json/json.h"
#include "video/report/report_json.h"

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
and of their signatures. The digest is that of the settings, the contents and the
signatures, whatever the files are called and in whatever order they came.

Examples:
  octavo video list --index archive
  octavo video list --index archive --json

Exit codes:
  0  done
  1  there is no archive, or it cannot be read
  2  the call was wrong)";

struct Totals {
  std::size_t files = 0, failed = 0, clips = 0;
  double seconds = 0, work_seconds = 0;
  std::uint64_t size = 0, segment_size = 0;
  [[nodiscard]] double times_real_time() const { return work_seconds > 0 ? seconds / work_seconds : 0; }
};

Totals totals_of(const std::vector<ArchivedFile>& files, const std::map<std::int64_t, ArchivedClip>& clips) {
  Totals totals{.files = files.size(), .clips = clips.size()};
  for (const ArchivedFile& file : files) totals.failed += file.clip ? 0 : 1;
  for (const auto& [id, clip] : clips) {
    totals.seconds += clip.facts.seconds;
    totals.work_seconds += clip.work_seconds;
    totals.size += clip.size;
    totals.segment_size += clip.segment_size;
  }
  return totals;
}

void print_json(const VideoArchive& archive, const std::vector<ArchivedFile>& files,
                const std::map<std::int64_t, ArchivedClip>& clips) {
  Json list = Json::array();
  for (const ArchivedFile& file : files) {
    list.push_back({{"clip", file.file.string()},
                    {"given", file.given.string()},
                    {"state", file.clip ? "done" : "failed"},
                    {"problems", video_report::problems_json(file.failure)},
                    {"facts", file.clip ? clip_json(clips.at(*file.clip)) : Json()}});
  }
  const Totals totals = totals_of(files, clips);
  Json settings = parse_json(json_of(option_table<SignatureOptions>(), archive.settings()));
  settings["fast"] = archive.is_fast();
  const Json json{{"archive", archive.folder().string()},
                  {"settings", settings},
                  {"clips", list},
                  {"totals",
                   {{"clip_count", totals.files},
                    {"failed_count", totals.failed},
                    {"content_count", totals.clips},
                    {"seconds", totals.seconds},
                    {"size", totals.size},
                    {"signature_size", totals.segment_size},
                    {"work_seconds", totals.work_seconds},
                    {"times_real_time", totals.times_real_time()}}},
                  {"digest", archive.digest()}};
  ListOutput out;
  out.print(json_text(json) + "\n");
  out.require_whole();
}

void print_text(const VideoArchive& archive, const std::vector<ArchivedFile>& files,
                const std::map<std::int64_t, ArchivedClip>& clips) {
  ListOutput out;
  constexpr auto row = "{:>9}  {:>8}  {:<10}  {:>9}  {:<6}  {}\n";
  out.print(fmt::format(row, "length", "size", "codec", "image", "state", "file"));
  for (const ArchivedFile& file : files) {
    if (!file.clip) {
      const std::string size = file.stamp ? bytes_text(static_cast<double>(file.stamp->size)) : "";
      out.print(fmt::format(row, "", size, "", "", "failed", file.file.string() + ": " + file.failure));
      continue;
    }
    const ArchivedClip& clip = clips.at(*file.clip);
    out.print(fmt::format(row, clock_text(clip.facts.seconds), bytes_text(static_cast<double>(clip.size)),
                          clip.facts.codec, fmt::format("{}x{}", clip.facts.width, clip.facts.height), "done",
                          file.file.string()));
  }
  const Totals totals = totals_of(files, clips);
  out.print(fmt::format(
      "{} files, {} failed; {} clips, {:.1f} hours, {} of video, {} of signatures, {:.1f} times real "
      "time\n",
      totals.files, totals.failed, totals.clips, totals.seconds / 3600, bytes_text(static_cast<double>(totals.size)),
      bytes_text(static_cast<double>(totals.segment_size)), totals.times_real_time()));
  out.print(fmt::format("digest {}\n", archive.digest()));
  out.require_whole();
}

}  // namespace

void add_video_list(Command& video) {
  struct Call {
    std::string folder;
    bool json = false;
  };
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "list", description, footer);
  add_archive_option(command, call->folder, "The folder of the archive.");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.callback([call] {
    const VideoArchive archive(call->folder);
    std::vector<ArchivedFile> files = archive.files();
    std::map<std::int64_t, ArchivedClip> clips;
    for (ArchivedClip& clip : archive.clips()) clips.emplace(clip.id, std::move(clip));
    // Another process may have removed a clip between the two lists.
    std::erase_if(files, [&](const ArchivedFile& file) { return file.clip && !clips.contains(*file.clip); });
    if (call->json) {
      print_json(archive, files, clips);
    } else {
      print_text(archive, files, clips);
    }
  });
}

}  // namespace octavo::cli
