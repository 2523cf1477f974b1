// octavo video takes: which shots of rushes are takes of the same scene?

#include <fmt/core.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_archive.h"
#include "video/frames/contact_sheet.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(find the takes of scenes in rushes

Cuts the videos into shots, leaves out junk (black, colour bars, titles, very
short shots such as clapper boards), and finds the shots that show the same
scene: takes that begin and end elsewhere, are faster or slower, shaken, zoomed
or lit otherwise. Prints each scene with its takes, and how their times
correspond. Videos are read twice, for cuts that are exact to the frame. With
--index the features come from an archive (octavo video index), and the files
are read once, for the cuts. A video that cannot be read is reported, and the
others are processed. The time grows with the square of the length.)";

constexpr auto footer = R"(Output: a line for each take, by scene
  in, out  times of the first frame, and when the last frame ends
  offset   seconds after the beginning of the reference take, the one with most
           in common with the others, at which this one begins; "*" marks the
           reference
  score    the mean share that the take has in common with the others of the
           scene
  key      the time of a frame that represents the take

JSON:
  {"clips": ["rushes1.mov", "rushes2.mov"], "min_affinity": 0.17,
   "scenes": [{"reference_index": 0, "takes": [
     {"clip": "rushes1.mov", "in": 4.0, "out": 16.2, "exact_cuts": true,
      "in_frame": 100, "in_time_code": "01:00:04:00", "out_frame": 405,
      "out_time_code": "01:00:16:05", "offset_seconds": 0.0,
      "exact_offset": true, "score": 0.81,
      "key_seconds": 9.5, "key_frame": 237, "key_time_code": "01:00:09:12",
      "alignment": []},
     {"clip": "rushes2.mov", "in": 1.5, "out": 12.0, ...,
      "alignment": [[2.0, 4.0], [2.5, 4.5], ...]}]}, ...],
   "left_out_shots": [{"clip": "rushes1.mov", "in": 0.0, "out": 4.0, ...,
                       "reason": "bars"}]}
"reference_index" is the place of the reference take in "takes". "alignment" has
pairs of times, of the take and of the reference, that show the same. "offset_seconds"
is null if the take shows nothing of the reference, and "exact_offset" tells
that its motion gave the offset to the frame. "min_affinity" is the limit that
was used. Frames count from the first
one, 0; time codes are those of the files, or count from 00:00:00:00. Reasons
are black, flat, title, bars and short.

Timelines: OpenTimelineIO has a stack for each scene, FCPXML a project. Each
take is on a track, or lane, of its own, placed by its offset. EDLs have one
track: takes.edl has the takes one after the other, for each frame rate a list.

The contact sheet has a row of frames for each take. The frames of a column show
the same moment of the scene, and the one that represents the take has a border.

Examples:
  octavo video takes rushes1.mov rushes2.mov
  octavo video takes *.mov -o sheet.jpg
  octavo video takes *.mov --otio takes.otio --fcpxml takes.fcpxml --edl edl
  octavo video takes day1.mxf --json --min-seconds 4
  octavo video takes --index archive --rough-cuts

Exit codes:
  0  done, whether or not there are several takes of a scene
  1  at least one video failed, or has no images in the contact sheet, see the
     error stream; the others are processed
  2  the call was wrong)";

struct Call {
  std::vector<std::string> clips;
  std::vector<std::string> folders;  // of archives
  TakesJob job;
  bool json = false;
};

std::string as_text(const FoundTakes& found) {
  std::string text;
  std::size_t takes = 0;
  for (std::size_t s = 0; s < found.list.scenes.size(); ++s) {
    const Scene& scene = found.list.scenes[s];
    text += fmt::format("scene {}\n  {:<12}   {:<12}  {:>8}  {:>5}  {:<12}  clip\n", s + 1, "in", "out", "offset",
                        "score", "key");
    for (std::size_t t = 0; t < scene.takes.size(); ++t, ++takes) {
      const Take& take = scene.takes[t];
      const std::string offset = t == scene.reference ? "*" : take.offset ? fmt::format("{:+.2f}", *take.offset) : "-";
      text += fmt::format("  {:<12} - {:<12}  {:>8}  {:>5.2f}  {:<12}  {}\n", time_text(take.shot.in),
                          time_text(take.shot.out), offset, take.score, time_text(take.key),
                          found.files[take.shot.clip].string());
    }
  }
  if (!found.list.left_out.empty()) text += "left out\n";
  for (const JunkShot& part : found.list.left_out) {
    text += fmt::format("  {:<12} - {:<12}  {:<5}  {}\n", time_text(part.shot.in), time_text(part.shot.out),
                        reason_of(part), found.files[part.shot.clip].string());
  }
  const auto number = [](std::size_t n, const char* name) {
    return fmt::format("{} {}{}", n, name, n == 1 ? "" : "s");
  };
  return text + fmt::format("{}, {}\n", number(found.list.scenes.size(), "scene"), number(takes, "take"));
}

void require_fit_call(const Call& call) {
  if (call.clips.empty() == call.folders.empty()) {
    throw WrongCall(call.clips.empty() ? "no video given: CLIP or --index" : "CLIP excludes --index");
  }
  if (!call.folders.empty() && call.job.options.measure != AffinityMeasure::matches) {
    throw WrongCall("--measure vlad excludes --index: an archive has no VLADs");
  }
  if (!call.folders.empty() && call.job.options.every > 0) {
    throw WrongCall("--every excludes --index: an archive has frames of its own");
  }
  refuse_standard_input(call.clips);
}

int run(Call& call) {
  require_fit_call(call);
  call.job.clips.assign(call.clips.begin(), call.clips.end());
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  call.job.archives = archives;
  Work work(Work::Signal::ends_program);
  const FoundTakes found = find_takes(call.job, work.context());
  work.progress().clear();
  if (found.files.empty() && !work.failures().empty()) return exit_failed;
  print_whole(call.json ? json_of(found) + "\n" : as_text(found));
  return work.exit_code();
}

}  // namespace

void add_video_takes(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "takes", description, footer);
  command.add_option("CLIP", call->clips, "The videos.").type_name("FILE");
  CommandOption& index = command
                             .add_option("--index", call->folders,
                                         "Take the clips of this archive. Given again, several archives are one.")
                             .type_name("DIR");
  add_options(command, option_table<TakeOptions>(), call->job.options);
  add_options(command, option_table<VideoOptions>(), call->job.video, {"every", "fps", "size", "stored_luma"});
  command
      .add_flag("--rough-cuts", call->job.rough_cuts,
                "Do not read the files: cuts lie between the frames that the archive has, and those between takes of "
                "one camera position are missed.")
      .needs(index)
      .group("Take options");
  const std::string group = "Output options";
  command
      .add_option("-o,--output", call->job.sheet,
                  "Write a contact sheet of the takes to this file. Its ending chooses the format (.png, .jpg, ...). "
                  "Without a take there is none.")
      .type_name("FILE")
      .group(group);
  for (const auto& [flag, file, text] :
       {std::tuple("--otio", &call->job.otio, "Write a timeline of OpenTimelineIO to this file, .otio."),
        std::tuple("--fcpxml", &call->job.fcpxml, "Write FCPXML, a project for each scene, to this file, .fcpxml.")}) {
    command.add_option(flag, *file, text).type_name("FILE").group(group);
  }
  add_edl(command, call->job.edl);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_device_options(command, call->job.device);
  command.callback([call, &command, &exit_code] {
    if (!call->folders.empty()) {
      for (const char* flag : {"--range", "--black", "--white"}) refuse_if_given(command, flag, "with --index");
    }
    if (!call->folders.empty() && command.count("--measure") == 0) call->job.options.measure = AffinityMeasure::matches;
    if (call->job.rough_cuts && call->job.sheet.empty()) {
      for (const auto& option : option_table<VideoOptions>().options) {
        refuse_if_given(command, flag_of(option.name), "with --rough-cuts and without --output");
      }
    }
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
