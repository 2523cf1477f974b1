// octavo video places: which clips and images were taken at the same place?

#include <filesystem>
#include <set>

#include "cli/command.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "video/frames/contact_sheet.h"

namespace octavo::cli {
namespace {

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
  const FoundPlaces found = work.run(find_places, call.job);
  work.end_if_interrupted();
  if (found.files.empty()) return exit_failed;
  print_whole(call.json ? json_of(found) + "\n" : as_text(found));
  return work.exit_code();
}

}  // namespace

void add_video_places(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "places", video_places_txt);
  command.add_option("FILE", call->places);
  command.add_option("--index", call->folders);
  add_options(command, call->job.options);
  add_options(command, call->job.video, {"every", "fps", "size", "stored_luma"});
  command.add_option("-o,--output", call->job.output);
  command.add_flag("--json", call->json);
  add_device_options(command, call->job.device);
  command.callback([call, &command, &exit_code] {
    if (call->job.output.empty()) refuse_if_given(command, "--max-drawings", "without -o");
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
