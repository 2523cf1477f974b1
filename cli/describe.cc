// octavo describe: descriptors of keypoints that the caller gives.

#include "cli/command.h"
#include "cli/detector.h"
#include "cli/estimate.h"
#include "octavo/extractor.h"
#include "octavo/io/feature_files.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo::cli {
namespace {

// Options of the search for keypoints.
constexpr auto without_effect =
    "contrast_threshold,edge_threshold,target_features,max_features,max_points,rank,grid,directions,verify_scales,rho,"
    "window,corner_threshold";

struct Call {
  std::string image, keypoints, output;
  bool orient = false, json = false, estimate = false;
  DescribeJob job;
};

int print_estimate(const Call& call, std::size_t keypoints) {
  const Extractor extractor = make_extractor(call.job.detector, call.job.device);
  const auto estimate = [&](const ImageView& shape) {
    return std::vector{extractor.estimate_description(shape, keypoints)};
  };
  return print_estimates({.images = {{call.image, {}}}, .read = call.job.read, .estimate = estimate}, call.json);
}

void print(const Call& call, const DescribedImage& done) {
  if (is_standard_stream(call.output)) {
    write_standard_output(encode_npz_description("standard output", done.description));
  } else {
    print_whole(call.json ? json_of(done) + "\n" : text_of(done), call.json);
  }
}

int run(Call& call) {
  const bool is_streamed = is_standard_stream(call.output);
  if (is_streamed) {
    if (call.json) refuse_standard_output("--json has no place there");
    require_no_terminal_for_bytes();
  }
  if (call.estimate) return print_estimate(call, read_keypoints(call.keypoints).size());
  DescribeJob& job = call.job;
  job.items = {{call.image, call.keypoints, is_streamed ? "" : call.output}};
  if (call.orient) job.orientations = OrientationFrom::image;
  job.standard_input = read_standard_input;
  Work work(Work::Signal::ends_program);
  job.take = [&](const DescribedImage& done) {
    work.progress().clear();
    print(call, done);
    return true;
  };
  describe_keypoints(job, work.context());
  return work.exit_code();
}

}  // namespace

void define_describe(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("IMAGE", call->image).required();
  command.add_option("--keypoints", call->keypoints).required();
  command.add_flag("--orient", call->orient);
  CommandOption& output = command.add_option("-o,--output", call->output);
  command.add_flag("--json", call->json);
  add_estimate(command, "description", output, call->estimate);
  add_read_options(command, call->job.read);
  add_detector_options(command, call->job.detector, Descriptors::always);
  for (const std::string& option : split(without_effect)) command.remove_option(flag_of(option));
  command.check = [call, &command] {
    require_effects(command, call->job.detector);
    if (call->orient) return;
    refuse_if_given(command, {"--upright", "--max-orientations"}, "without --orient");
  };
  add_device_options(command, call->job.device);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
