// octavo video takes: which shots of rushes are takes of the same scene?

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/segments.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "json/json.h"
#include "octavo/contact_sheet.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/takes.h"
#include "octavo/video_archive.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

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
  {"clips": ["rushes1.mov", "rushes2.mov"],
   "scenes": [{"reference": 0, "takes": [
     {"clip": "rushes1.mov", "in": 4.0, "out": 16.2, "exact_cuts": true,
      "offset": 0.0, "score": 0.81, "key": 9.5, "alignment": []},
     {"clip": "rushes2.mov", "in": 1.5, "out": 12.0, "exact_cuts": true,
      "offset": -0.5, "score": 0.77, "key": 6.0,
      "alignment": [[2.0, 4.0], [2.5, 4.5], ...]}]}, ...],
   "left_out": [{"clip": "rushes1.mov", "in": 0.0, "out": 4.0,
                 "reason": "bars"}]}
"reference" is the place of the reference take in "takes". "alignment" has pairs
of times, of the take and of the reference, that show the same. "offset" is null
if the take shows nothing of the reference. Reasons are black, flat, title, bars
and short.

The contact sheet has a row of frames for each take. The frames of a column show
the same moment of the scene, and the one that represents the take has a border.

Examples:
  octavo video takes rushes1.mov rushes2.mov
  octavo video takes *.mov -o sheet.jpg
  octavo video takes day1.mxf --json --min-seconds 4
  octavo video takes --index archive --rough-cuts

Exit codes:
  0  done, whether or not there are several takes of a scene
  1  at least one video failed, or has no pictures in the contact sheet, see the
     error stream; the others are processed
  2  the call was wrong)";

struct Call {
  std::vector<std::string> clips;
  std::string folder, sheet;
  TakeOptions takes;
  VideoOptions video;
  DeviceOptions device;
  bool rough_cuts = false, json = false;
};

// The clips that could be read, and their takes.
struct Found {
  std::vector<fs::path> files;
  std::set<std::size_t> unreadable;  // clips of the archive whose files are no longer what it knows
  TakeList list;
  std::set<std::string> problems;  // each once, though a file may fail for the cuts and for the sheet
};

Complain complaint_of(Found& found, Progress& progress) {
  return [&](const std::string& sentence) {
    progress.clear();
    if (found.problems.insert(sentence).second) complain(sentence);
  };
}

void add_files(TakeFinder& finder, const Call& call, Progress& progress, Found& found) {
  for (std::size_t i = 0; i < call.clips.size(); ++i) {
    progress.show(call.clips[i], i, call.clips.size());
    const auto add = [&] { finder.add(call.clips[i], call.video, progress.sink()); };
    if (does_read(add, complaint_of(found, progress))) found.files.emplace_back(call.clips[i]);
  }
}

void add_archive(TakeFinder& finder, const Call& call, Progress& progress, Found& found) {
  const VideoArchive archive(call.folder);
  std::vector<ArchivedClip> clips = archive.clips();
  std::ranges::sort(clips, {}, [](const ArchivedClip& clip) { return clip.files.front(); });
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const fs::path there = readable_file(clips[i], std::span(&archive, 1));
    const fs::path file = there.empty() ? clips[i].files.front() : there;
    progress.show(file.string(), i, clips.size());
    const Complain complain = complaint_of(found, progress);
    ClipSignature signature;
    if (!does_read([&] { signature = archive.signature(clips[i]); }, complain)) continue;
    const auto add = [&](const fs::path& cuts_of) { finder.add(signature, cuts_of, call.video, progress.sink()); };
    const bool is_exact = !call.rough_cuts && !there.empty() && does_read([&] { add(there); }, complain);
    if (!is_exact) add({});
    if (there.empty()) found.unreadable.insert(found.files.size());
    found.files.push_back(file);
  }
}

// The clips with a take on the sheet.
std::set<std::size_t> drawn_clips(const TakeList& list) {
  std::set<std::size_t> clips;
  std::size_t rows = 0;
  for (const Scene& scene : list.scenes) {
    for (const Take& take : scene.takes) {
      if (rows++ < most_sheet_rows) clips.insert(take.shot.clip);
    }
  }
  return clips;
}

// The list of takes is good without the sheet, and the sheet without the clips of which there is no file.
void write_sheet(const Call& call, Found& found, Progress& progress) {
  const Complain complain = complaint_of(found, progress);
  for (const std::size_t clip : drawn_clips(found.list)) {
    if (!found.unreadable.contains(clip)) continue;
    complain(fmt::format("'{}' is gone or has changed since it was indexed: the contact sheet has no pictures of it",
                         found.files[clip].string()));
  }
  const auto write = [&] {
    const Image sheet = draw_takes(found.list, found.files, call.video, progress.sink(), found.unreadable, complain);
    write_image(call.sheet, sheet.view());
  };
  does_read(write, complain);
}

Json shot_json(const Shot& shot, const Found& found) {
  return {{"clip", found.files[shot.clip].string()}, {"in", shot.in}, {"out", shot.out}, {"exact_cuts", shot.exact}};
}

std::string_view reason_of(const JunkShot& part) { return part.junk == Junk::none ? "short" : name_of(part.junk); }

Json as_json(const Found& found) {
  Json json{{"clips", Json::array()}, {"scenes", Json::array()}, {"left_out", Json::array()}};
  for (const fs::path& file : found.files) json["clips"].push_back(file.string());
  for (const Scene& scene : found.list.scenes) {
    Json takes = Json::array();
    for (const Take& take : scene.takes) {
      Json one = shot_json(take.shot, found);
      one["offset"] = take.offset ? Json(*take.offset) : Json();
      one["score"] = take.score;
      one["key"] = take.key;
      one["alignment"] = Json::array();
      for (const TakePair& pair : take.alignment) one["alignment"].push_back({pair.take, pair.reference});
      takes.push_back(std::move(one));
    }
    json["scenes"].push_back({{"reference", scene.reference}, {"takes", std::move(takes)}});
  }
  for (const JunkShot& part : found.list.left_out) {
    Json one = shot_json(part.shot, found);
    one["reason"] = reason_of(part);
    json["left_out"].push_back(std::move(one));
  }
  return json;
}

std::string as_text(const Found& found) {
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
  if (call.clips.empty() == call.folder.empty()) {
    throw WrongCall(call.clips.empty() ? "no video given: CLIP or --index" : "CLIP excludes --index");
  }
  if (!call.folder.empty() && call.takes.measure != AffinityMeasure::matches) {
    throw WrongCall("--measure vlad excludes --index: an archive has no VLADs");
  }
  for (const std::string& clip : call.clips) {
    if (is_standard_stream(clip)) throw WrongCall("videos are read several times, so - cannot be one");
  }
  if (call.sheet.empty()) return;
  const std::array<fs::path, 1> sheet{call.sheet};
  require_writable_pictures(sheet, true);
  require_not_read(sheet, std::vector<fs::path>(call.clips.begin(), call.clips.end()));
}

int run(const Call& call) {
  validate(call.takes);
  validate(call.video);
  require_fit_call(call);
  Progress progress;
  TakeFinder finder(call.takes, call.device);
  Found found;
  if (call.folder.empty()) {
    add_files(finder, call, progress, found);
  } else {
    add_archive(finder, call, progress, found);
  }
  if (found.files.empty() && !found.problems.empty()) return exit_failed;
  progress.show("takes");
  found.list = finder.find(progress.sink());
  if (!call.sheet.empty() && !found.list.scenes.empty()) write_sheet(call, found, progress);
  progress.clear();
  ListOutput out;
  out.print(call.json ? json_text(as_json(found)) + "\n" : as_text(found));
  out.require_whole();
  return found.problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_video_takes(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "takes", description, footer);
  command.add_option("CLIP", call->clips, "The videos.").type_name("FILE");
  CommandOption& index =
      command.add_option("--index", call->folder, "Take the clips of this archive.").type_name("DIR");
  add_options(command, option_table<TakeOptions>(), call->takes);
  add_options(command, option_table<VideoOptions>(), call->video, {"every", "fps", "size", "stored_luma"});
  command
      .add_flag("--rough-cuts", call->rough_cuts,
                "Do not read the files: cuts lie between the frames that the archive has, and those between takes of "
                "one camera position are missed.")
      .needs(index)
      .group("Take options");
  const std::string group = "Output options";
  command
      .add_option("-o,--output", call->sheet,
                  "Write a contact sheet of the takes to this file. Its ending chooses the format (.png, .jpg, ...). "
                  "Without a take there is none.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_device_options(command, call->device);
  command.callback([call, &command, &exit_code] {
    if (!call->folder.empty() && command.count("--measure") == 0) call->takes.measure = AffinityMeasure::matches;
    if (call->rough_cuts && call->sheet.empty()) {
      for (const auto& option : option_table<VideoOptions>().options) {
        refuse_if_given(command, flag_of(option.name), "with --rough-cuts and without --output");
      }
    }
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
