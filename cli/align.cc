// octavo align: joins two images of a plane, or two images taken from one place, into one image.

#include "cli/command.h"
#include "cli/detector.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<AlignJob> {
  std::string output_name;  // "-": the standard output
};

// Refuses options of blending that have no effect.
void require_blending_effects(const Command& command, const Call& call) {
  require_effects(command, call.blend);
  if (call.blend.blend != Blending::multiband) {
    refuse_if_given(command, "--no-exposure", "without --blend multiband");
  }
  if (!call.output_name.empty()) return;
  refuse_if_given(command, {"--blend", "--bands", "--no-exposure"}, "without --output");
}

int run(Call& call) {
  require_one_standard_input({call.a.string(), call.b.string()});
  const bool is_piped = is_standard_stream(call.output_name);
  if (is_piped) {
    if (call.json) refuse_standard_output("--json has no place there");
    require_writable_image(call.output_name, true);
    call.take = [&](const ImageView& both) { write_output_image(call.output_name, both); };
  } else {
    call.output = call.output_name;
  }
  call.standard_input = standard_input();
  Work work(Work::Signal::ends_program);
  const AlignResult result = work.run(align_images, call);
  if (is_piped) {
    for (const AlignmentWarning& one : result.alignment.warnings) complain("warning: " + one.sentence);
  } else {
    print_whole(call.json ? json_of(call, result) + "\n" : text_of(result), call.json);
  }
  const RobustModel& homography = result.alignment.homography;
  if (homography.found) return exit_done;
  complain(fmt::format("no homography maps {} to {}: {}", call.a.string(), call.b.string(), homography.reason));
  return exit_failed;
}

}  // namespace

void define_align(Command& command) {
  const auto call = std::make_shared<Call>();

  command.add_option("A", call->a).required();
  command.add_option("B", call->b).required();
  add_read_options(command, call->read);
  command.add_option("--mask", call->mask);
  command.add_option("-o,--output", call->output_name);
  command.add_flag("--json", call->json);
  command.add_flag("--no-retry", [call] { call->retry = false; });
  add_options(command, call->blend, {"exposure"});
  command.add_flag("--no-exposure", [call] { call->blend.exposure = false; });
  add_options(command, call->robust);
  add_match_options(command, call->match);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.action = [&command, call] {
    require_blending_effects(command, *call);
    return run(*call);
  };
}

}  // namespace octavo::cli
