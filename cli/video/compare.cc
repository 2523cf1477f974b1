// octavo video compare: the segments that two videos share.

#include <array>

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::string a, b;
  CompareJob job;
  bool json = false;
};

int run(Call& call) {
  refuse_standard_input(std::array{call.a, call.b});
  call.job.a = call.a;
  call.job.b = call.b;
  Work work(Work::Signal::ends_program);
  const ClipComparison found = work.run(compare, call.job);
  print_whole(call.json ? json_of(call.job, found) + "\n" : text_of(call.job, found));
  return work.exit_code();
}

}  // namespace

void define_video_compare(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("A", call->a).required();
  command.add_option("B", call->b).required();
  add_options(command, call->job.copy);
  command.add_flag("--negative", call->job.further.negative);
  command.add_flag("--reversed", call->job.further.reversed);
  add_options(command, call->job.video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->job.device);
  command.add_option("--image", call->job.image);
  command.add_flag("--json", call->json);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
