// octavo video compare: the segments that two videos share.

#include <array>

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

using Call = WithJson<CompareJob>;

int run(Call& call) {
  refuse_standard_input(std::array{call.a, call.b});
  Work work(Work::Signal::ends_program);
  const ClipComparison found = work.run(compare, call);
  print_whole(call.json ? json_of(call, found) + "\n" : with_flags(text_of(call, found)), call.json);
  return work.exit_code();
}

}  // namespace

void define_video_compare(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("A", call->a).required();
  command.add_option("B", call->b).required();
  add_options(command, call->copy);
  command.add_flag("--negative", call->further.negative);
  command.add_flag("--reversed", call->further.reversed);
  add_options(command, call->video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->device);
  command.add_option("--image", call->image);
  command.add_flag("--json", call->json);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
