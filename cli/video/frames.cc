// octavo video frames: takes frames out of videos, as images, as a list, and as a contact sheet.

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

struct Call {
  FramesJob job;
  bool json = false;
};

int run(Call& call) {
  require_one_standard_input(call.job.clips);
  Work work;
  ListOutput out;
  const auto print = [&](std::string_view text) {
    out.print(text);
    return !out.is_broken();
  };
  call.job.standard_input = standard_input().video;
  if (call.json) {
    call.job.list = print;
  } else {
    call.job.take = [&](const TakenFrames& taken) {
      work.progress().clear();
      print(text_of(taken));
    };
  }
  take_frames(call.job, work.context());
  work.progress().clear();
  out.require_whole();
  work.end_if_interrupted();
  return work.exit_code();
}

}  // namespace

void define_video_frames(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->job.clips).required();
  add_options(command, call->job.video);

  CommandOption& output = command.add_option("-o,--output", call->job.output);
  command.add_option("--contact-sheet", call->job.contact_sheet);
  command.add_flag("--grey", call->job.grey).needs(output);
  command.add_flag("--json", call->json);
  command.check = [&command, call] { require_effects(command, call->job.video); };
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
