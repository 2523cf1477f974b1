// octavo video report: what an archive has twice, or where clips are in it, as files for people and programs.

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  ReportJob job;
  bool exact_ends = false, rough_ends = false;
};

// Refuses options of what is not done. Without clips only a page shows frames, and exact ends need files too.
void require_effects_of(const Command& command, const Call& call) {
  if (call.job.output.empty()) refuse_if_given(command, "--max-images", "without -o");
  refuse_standard_input(call.job.clips);
  if (!call.job.clips.empty()) return refuse_if_given(command, "--exact-ends", "with clips: their ends are exact");
  refuse_if_given(command, "--rough-ends", "without clips: ends are rough");
  refuse_if_given(command, "--negative", "without clips: an archive has no images");
  if (!call.job.output.empty()) return;
  refuse_options<DeviceOptions>(command, "without clips and -o");
  if (call.exact_ends) return;
  refuse_options<VideoOptions>(command, "without clips, -o and --exact-ends");
}

int run(const Command& command, Call& call) {
  require_effects_of(command, call);
  ReportJob& job = call.job;
  job.report.exact_ends = call.job.clips.empty() ? call.exact_ends : !call.rough_ends;
  Work work(Work::Signal::ends_program);
  work.run(write_report, job);
  print_whole(text_of(job));
  return work.exit_code();
}

}  // namespace

void define_video_report(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->job.clips);
  command.add_option("--index", call->job.archive).required();
  command.add_option("-o,--output", call->job.output);
  command.add_option("--csv", call->job.csv);
  command.add_option("--json-output", call->job.json_output);
  command.add_option("--otio", call->job.otio);
  command.add_option("--fcpxml", call->job.fcpxml);
  command.add_option("--edl", call->job.edl);
  add_options(command, call->job.report);
  command.add_flag("--exact-ends", call->exact_ends);
  command.add_flag("--rough-ends", call->rough_ends);
  command.add_flag("--no-mirror", [call] { call->job.search.mirrored = false; });
  command.add_flag("--negative", call->job.negative);
  command.add_flag("--reversed", call->job.search.reversed);
  add_options(command, call->job.search.copies);
  add_options(command, call->job.video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  add_device_options(command, call->job.device);
  command.action = [&command, call] { return run(command, *call); };
}

}  // namespace octavo::cli
