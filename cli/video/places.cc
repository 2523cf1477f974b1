// octavo video places: which clips and images were taken at the same place?

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "video/frames/contact_sheet.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(group clips and images by the places where they were taken

Cuts the clips into shots, chooses frames of each that show something else, and
matches them with each other and with the images. Two frames are of one place if
the geometry of their matches shows it, whatever is laid over them: logos,
subtitles and bars do not count, nor do black frames, titles and cards. A file
that cannot be read is reported, and the others are grouped.)";

constexpr auto footer = R"(Output: the places, those of most files first, with a line for each image and
each shot of a clip
  in, out  times of the shot's first frame, and when its last frame ends
  frames   the number of its frames that were matched
  pairs    those of its frames with frames of others that show the same place
Then what is in no place, and what was left out of clips.

JSON:
  {"files": [{"file": "a.mp4", "kind": "clip"},
             {"file": "b.jpg", "kind": "image"}],
   "places": [{"members": [
     {"file": "a.mp4", "in": 0.0, "in_frame": 0, "in_time_code": "00:00:00:00",
      "out": 4.2, "out_frame": 105, "out_time_code": "00:00:04:05",
      "member": 0, "frame_seconds": [0.4, 2.8]},
     {"file": "b.jpg", "member": 3}], "pairs": [
     {"member_a": 0, "member_b": 3, "seconds_a": 2.8, "seconds_b": 0.0,
      "inlier_count": 81, "match_count": 97, "model": "fundamental",
      "sure": true, "joins": true}]}],
   "single": [{"file": "c.jpg", "member": 4}],
   "doubtful": [],
   "left_out": [{"file": "a.mp4", "in": 4.2, ..., "reason": "title"}]}
"member_a" and "member_b" are the numbers "member". "sure" tells that twice as
many matches agree as are needed. The pairs with "joins" are enough to hold the
place together. Those in "doubtful" are too few to join two places. Reasons are
black, flat, title and bars.

The page is one file that needs no network. It has the frames of each place, and
the matches of the pairs that join it.

Examples:
  octavo video places clips/ images/ -o places.html
  octavo video places *.mp4 *.jpg --json
  octavo video places --index archive images/ -o places.html
  octavo video places film.mov uploads/ -o places.html --max-frames 30

Exit codes:
  0  done, whether or not there is a place with several files
  1  at least one file failed, see the error stream; the others are grouped
  2  the call was wrong)";

struct Call {
  std::vector<std::string> places;
  std::vector<std::string> folders;  // of archives
  PlaceJob job;
  bool json = false;
};

std::string count_of(std::size_t count, const char* name) {
  return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

std::string span_of(const FoundPlaces& found, std::size_t file, double in, double out) {
  if (!found.files[file].clip) return fmt::format("{:<12}   {:<12}", "", "");
  return fmt::format("{:<12} - {:<12}", time_text(in), time_text(out));
}

std::string line_of(const FoundPlaces& found, std::size_t index, std::size_t pairs) {
  const PlaceMember& member = found.members[index];
  return fmt::format("  {}  {:>6}  {:>5}  {}\n", span_of(found, member.file, member.in, member.out),
                     member.frames.size(), pairs, found.files[member.file].file.string());
}

std::string text_of_place(const FoundPlaces& found, const Place& place) {
  std::string text;
  for (const std::size_t member : place.members) {
    std::size_t pairs = 0;
    for (const PlacePair& pair : place.pairs) pairs += pair.member_a == member || pair.member_b == member ? 1 : 0;
    text += line_of(found, member, pairs);
  }
  return text;
}

std::string as_text(const FoundPlaces& found) {
  std::string text;
  std::set<std::size_t> files;
  for (std::size_t i = 0; i < found.places.size(); ++i) {
    text += fmt::format("place {}, {}\n  {:<12}   {:<12}  {:>6}  {:>5}  file\n", i + 1,
                        count_of(found.places[i].pairs.size(), "pair"), "in", "out", "frames", "pairs");
    text += text_of_place(found, found.places[i]);
    for (const std::size_t member : found.places[i].members) files.insert(found.members[member].file);
  }
  if (!found.single.empty()) text += "in no place\n";
  for (const std::size_t member : found.single) text += line_of(found, member, 0);
  if (!found.left_out.empty()) text += "left out\n";
  for (const JunkShot& part : found.left_out) {
    text += fmt::format("  {}  {:<6}         {}\n", span_of(found, part.shot.clip, part.shot.in, part.shot.out),
                        reason_of(part), found.files[part.shot.clip].file.string());
  }
  return text + fmt::format("{} with {} of {}\n", count_of(found.places.size(), "place"), files.size(),
                            count_of(found.files.size(), "file"));
}

int run(Call& call) {
  refuse_standard_input(call.places);
  if (call.places.empty() && call.folders.empty()) throw WrongCall("no file given: FILE or --index");
  Work work;
  PlaceFiles files = find_place_files(call.places, open_archives(call.folders));
  work.fail_all(files.problems);
  if (files.files.empty()) return exit_failed;
  call.job.files = std::move(files.files);
  const FoundPlaces found = find_places(call.job, work.context());
  work.progress().clear();
  work.end_if_interrupted();
  if (found.files.empty()) return exit_failed;
  print_whole(call.json ? json_of(found) + "\n" : as_text(found));
  return work.exit_code();
}

}  // namespace

void add_video_places(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "places", description, footer);
  command.add_option("FILE", call->places, "Clips and images, and folders of them.");
  command
      .add_option(
          "--index", call->folders,
          "Take the clips and images of this archive too, each content once. Their files are read. May be given "
          "again.")
      .type_name("DIR");
  add_options(command, option_table<PlaceOptions>(), call->job.options);
  add_options(command, option_table<VideoOptions>(), call->job.video, {"every", "fps", "size", "stored_luma"});
  const std::string group = "Output options";
  command.add_option("-o,--output", call->job.output, "Write the page to this file, .html.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_device_options(command, call->job.device);
  command.callback([call, &command, &exit_code] {
    if (call->job.output.empty()) refuse_if_given(command, "--max-drawings", "without -o");
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
