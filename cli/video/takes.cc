// octavo video takes: which shots of rushes are takes of the same scene?

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<TakesJob> {
  std::vector<std::string> folders;  // of archives
};

void require_fit_call(const Call& call) {
  if (call.clips.empty() == call.folders.empty()) {
    throw WrongCall(call.clips.empty() ? "no video given: CLIP or --index" : "CLIP excludes --index");
  }
  if (!call.folders.empty() && call.options.measure != AffinityMeasure::matches) {
    throw WrongCall("--measure vlad excludes --index: an archive has no VLADs");
  }
  if (!call.folders.empty() && call.options.every > 0) {
    throw WrongCall("--every excludes --index: an archive has frames of its own");
  }
  refuse_standard_input(call.clips);
}

int run(Call& call) {
  require_fit_call(call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  call.archives = archives;
  Work work(Work::Signal::ends_program);
  const FoundTakes found = work.run(find_takes, call);
  if (found.files.empty() && !work.failures().empty()) return exit_failed;
  print_whole(call.json ? json_of(found) + "\n" : text_of(found), call.json);
  return work.exit_code();
}

}  // namespace

void define_video_takes(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->clips);
  CommandOption& index = command.add_option("--index", call->folders);
  add_options(command, call->options);
  add_options(command, call->video, {"every", "fps", "size", "stored_luma"});
  command.add_flag("--rough-cuts", call->rough_cuts).needs(index);
  command.add_option("-o,--output", call->sheet);
  command.add_option("--otio", call->otio);
  command.add_option("--fcpxml", call->fcpxml);
  command.add_option("--edl", call->edl);
  command.add_flag("--json", call->json);
  add_device_options(command, call->device);
  command.action = [call, &command] {
    if (!call->folders.empty()) {
      refuse_if_given(command, {"--range", "--black", "--white"}, "with --index");
    }
    if (!call->folders.empty() && !command.is_given("--measure")) call->options.measure = AffinityMeasure::matches;
    if (call->rough_cuts && call->sheet.empty()) {
      refuse_options<VideoOptions>(command, "with --rough-cuts and without --output");
    }
    return run(*call);
  };
}

}  // namespace octavo::cli
