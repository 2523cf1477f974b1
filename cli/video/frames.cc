// octavo video frames: takes frames out of videos, as images, as a list, and as a contact sheet.

#include "cli/command.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

using Call = WithJson<FramesJob>;

int run(Call& call) {
  require_one_standard_input(call.clips);
  Work work;
  ListOutput out(call.json);
  const auto print = [&](std::string_view text) {
    out.print(text);
    return !out.is_broken();
  };
  call.standard_input = standard_input().video;
  if (call.json) {
    call.list = print;
  } else {
    call.take = [&](const TakenFrames& taken) {
      work.progress().clear();
      print(text_of(taken));
    };
  }
  work.run(take_frames, call);
  out.require_whole();
  work.end_if_interrupted();
  return work.exit_code();
}

}  // namespace

void define_video_frames(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->clips).required();
  add_options(command, call->video);

  CommandOption& output = command.add_option("-o,--output", call->output);
  command.add_option("--contact-sheet", call->contact_sheet);
  command.add_flag("--grey", call->grey).needs(output);
  command.add_flag("--json", call->json);
  command.check = [&command, call] { require_effects(command, call->video); };
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
