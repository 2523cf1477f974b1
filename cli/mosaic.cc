// octavo mosaic: joins images that overlap, and frames of videos, into one.

#include <algorithm>

#include "cli/command.h"
#include "cli/detector.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo::cli {
namespace {

// What the command line asks for.
struct Call : MosaicJob {
  std::vector<std::string> places;
  bool json = false;
};

void print_text(const MosaicPlan& plan) {
  if (plan.found) {
    const auto name = [&](int image) { return plan.images[static_cast<std::size_t>(image)].name; };
    const auto placed = std::ranges::count(plan.images, MosaicImageStatus::placed, &MosaicImage::status);
    fmt::print("images       {} of {}\n", placed, plan.images.size());
    fmt::print("model        {}{}\n", word(plan.model), plan.distortion ? " with lens distortion" : "");
    fmt::print("why          {}\n", plan.why);
    fmt::print("projection   {}\n", word(plan.projection));
    fmt::print("canvas       {} x {}\n", plan.width, plan.height);
    fmt::print("residual     {:.2f} px, of held-out matches {:.2f} px\n", plan.residual, plan.held_out);
    if (plan.loop_error) fmt::print("loop error   {:.2f} px before the adjustment\n", *plan.loop_error);
    for (const MosaicPair& pair : plan.pairs) {
      const bool is_placed = pair.residual > 0;
      if (pair.status == MosaicPairStatus::unrelated || !is_placed) continue;
      fmt::print("pair         {} - {}: {} matches, {:.2f} px{}\n", name(pair.a), name(pair.b), pair.inliers,
                 pair.residual,
                 pair.status == MosaicPairStatus::inconsistent ? ", contradicts the others: not used"
                 : pair.by_hand                                ? ", set by hand"
                                                               : "");
    }
  }
  for (const MosaicImage& image : plan.images) {
    if (image.status != MosaicImageStatus::placed) fmt::print("left out     {}: {}\n", image.name, image.reason);
  }
  for (const std::string& warning : plan.warnings) fmt::print("warning      {}\n", warning);
}

int run(Call& call) {
  call.images = find_images(call.places);
  Work work(Work::Signal::ends_program);
  const MosaicResult result = work.run(make_mosaic, call);
  if (call.json) {
    fmt::print("{}\n", json_of(result));
  } else {
    print_text(result.plan);
  }
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

void add_mosaic(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "mosaic", mosaic_txt);

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
  add_robust_options(command, call->robust);
  add_match_options(command, call->match);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.callback([call, &command, &exit_code] {
    require_drawn(command, *call);
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
