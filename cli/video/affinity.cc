// octavo video affinity: the affinity matrix of two clips, as an image and as data.

#include <array>

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::string a, b;
  AffinityJob job;
  bool no_segments = false, json = false;
};

int run(Call& call) {
  AffinityJob& job = call.job;
  if (call.b.empty()) call.b = call.a;
  refuse_standard_input(std::array{call.a, call.b});
  if (job.image.empty() && job.data.empty() && !call.json) throw WrongCall("no output given: -o, --data or --json");
  job.a = call.a;
  job.b = call.b;
  job.segments = !call.no_segments;
  Work work(Work::Signal::ends_program);
  const ClipAffinity found = work.run(find_affinity, job);
  if (call.json) print_whole(json_of(job, found) + "\n");
  return work.exit_code();
}

}  // namespace

void define_video_affinity(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("A", call->a).required();
  command.add_option("B", call->b);
  add_options(command, call->job.affinity);
  add_options(command, call->job.video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->job.device);
  command.add_option("-o,--output", call->job.image);
  command.add_option("--data", call->job.data);
  command.add_flag("--json", call->json);
  command.add_flag("--no-segments", call->no_segments);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
