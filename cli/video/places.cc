// octavo video places: which clips and images were taken at the same place?

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<PlaceJob> {
  std::vector<std::string> places;
  std::vector<std::string> folders;  // of archives
};

int run(Call& call) {
  refuse_standard_input(call.places);
  if (call.places.empty() && call.folders.empty()) throw WrongCall("no file given: FILE or --index");
  Work work;
  PlaceFiles files = find_place_files(call.places, open_archives(call.folders));
  work.fail_all(files.problems);
  if (files.files.empty()) return exit_failed;
  call.files = std::move(files.files);
  const FoundPlaces found = work.run(find_places, call);
  work.end_if_interrupted();
  if (found.files.empty()) return exit_failed;
  print_whole(call.json ? json_of(found) + "\n" : text_of(found), call.json);
  return work.exit_code();
}

}  // namespace

void define_video_places(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("FILE", call->places);
  command.add_option("--index", call->folders);
  add_options(command, call->options);
  add_options(command, call->video, {"every", "fps", "size", "stored_luma"});
  command.add_option("-o,--output", call->output);
  command.add_flag("--json", call->json);
  add_device_options(command, call->device);
  command.action = [call, &command] {
    if (call->output.empty()) refuse_if_given(command, "--max-drawings", "without -o");
    return run(*call);
  };
}

}  // namespace octavo::cli
