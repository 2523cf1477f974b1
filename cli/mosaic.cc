// octavo mosaic: joins images that overlap, and frames of videos, into one.

#include "cli/command.h"
#include "cli/detector.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<MosaicJob> {
  std::vector<std::string> places;
};

int run(Call& call) {
  call.images = find_images(call.places);
  Work work(Work::Signal::ends_program);
  const MosaicResult result = work.run(make_mosaic, call);
  print_whole(call.json ? json_of(result) + "\n" : text_of(result), call.json);
  if (!result.plan.found) complain("there is no mosaic: " + result.plan.reason);
  return result.plan.found ? work.exit_code() : exit_failed;
}

// Refuses options that do nothing where nothing is drawn.
void require_drawn(const Command& command, const Call& call) {
  if (!call.output.empty()) return;
  refuse_if_given(command, {"--bands", "--image-memory"}, "without --output");
  if (call.seams.empty()) refuse_if_given(command, "--no-seams", "without --output or --draw-seams");
}

}  // namespace

void define_mosaic(Command& command) {
  const auto call = std::make_shared<Call>();

  command.add_option("IMAGES", call->places).required();
  command.add_option("-o,--output", call->output);
  command.add_option("--draw-graph", call->graph);
  command.add_option("--draw-seams", call->seams);
  command.add_flag("--json", call->json);
  add_options(command, call->mosaic, {"distortion", "seams"});
  command.add_flag("--no-distortion", [call] { call->mosaic.distortion = false; });
  command.add_flag("--no-seams", [call] { call->mosaic.seams = false; });
  command.add_option("--pairs", call->pairs).default_str(call->pairs);
  command.add_option("--points", call->points);
  add_read_options(command, call->read);
  command.add_option("--mask", call->mask);
  add_options(command, call->robust);
  add_match_options(command, call->match);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.action = [call, &command] {
    require_drawn(command, *call);
    return run(*call);
  };
}

}  // namespace octavo::cli
