// octavo video affinity: the affinity matrix of two clips, as an image and as data.

#include <array>

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

using Call = WithJson<AffinityJob>;

int run(Call& job) {
  if (job.b.empty()) job.b = job.a;
  refuse_standard_input(std::array{job.a, job.b});
  if (job.image.empty() && job.data.empty() && !job.json) throw WrongCall("no output given: -o, --data or --json");
  Work work(Work::Signal::ends_program);
  const ClipAffinity found = work.run(find_affinity, job);
  if (job.json) print_whole(json_of(job, found) + "\n", true);
  return work.exit_code();
}

}  // namespace

void define_video_affinity(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("A", call->a).required();
  command.add_option("B", call->b);
  add_options(command, call->affinity);
  add_options(command, call->video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->device);
  command.add_option("-o,--output", call->image);
  command.add_option("--data", call->data);
  command.add_flag("--json", call->json);
  command.add_flag("--no-segments", [call] { call->segments = false; });
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
