// octavo extract: finds and describes the keypoints of images, and writes them to files or as JSON.

#include <filesystem>
#include <utility>

#include "cli/command.h"
#include "cli/detector.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "octavo/extractor.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::vector<std::string> images;
  bool recursive = false;
  std::string output;
  bool json = false;
  bool estimate = false;
  ExtractJob job;
};

// Refuses what the standard streams cannot be used for.
void require_fitting_streams(const Call& call) {
  std::vector<std::string> inputs = call.images;
  inputs.push_back(call.job.mask.string());
  require_one_standard_input(inputs);
  if (!is_standard_stream(call.output)) return;
  if (call.images.size() > 1) refuse_standard_output("it takes one image");
  if (call.json) refuse_standard_output("--json has no place there; choose --format json");
  if (call.job.format == FeatureFormat::hloc) refuse_standard_output("--format hloc needs a file");
  if (call.job.draw) refuse_standard_output("--draw needs a folder");
  if (call.job.skip_existing) refuse_standard_output("--skip-existing needs a folder");
  if (call.job.shard) refuse_standard_output("--shard needs a folder");
  if (call.job.format == FeatureFormat::npz) require_no_terminal_for_bytes();
}

int print_estimates_of(const Call& call, bool is_single) {
  const Extractor extractor = make_extractor(call.job.detector, call.job.device);
  const auto estimate = [&](const ImageView& shape) { return extractor.estimate(shape, !call.job.mask.empty()); };
  const std::size_t at_a_time = images_in_memory(call.job, extractor);
  return print_estimates(
      {.images = call.job.images, .read = call.job.read, .images_at_a_time = at_a_time, .estimate = estimate},
      call.json, !is_single, call.job.problems);
}

// Refuses options that have no effect with videos, or without.
void require_effects_on_inputs(const Command& command, Call& call) {
  if (!call.job.are_videos) {
    refuse_if_given(command, {"--every", "--fps", "--size"}, "without a video");
    return require_folder_to_recurse(command, call.images);
  }
  refuse_if_given(command, {"--recursive", "--estimate", "--one-range"}, "with a video");
  if (call.job.mask.empty()) refuse_if_given(command, "--no-exif-rotation", "with a video");
  take_reading_options(command, call.job.read, call.job.video);
  require_effects(command, call.job.video);
  if (is_standard_stream(call.output)) refuse_standard_output("it takes one image");
}

// Prints what has become of an image, or writes its features to the standard output.
void print(const Call& call, const ExtractedImage& done, bool is_first, ListOutput& out) {
  if (is_standard_stream(call.output)) {
    write_standard_output(features_bytes(call.job.format, done.image.file.string(), *done.features));
  } else if (call.json) {
    out.print((is_first ? "" : ",\n") + json_of(done));
  } else {
    out.print(text_of(done));
  }
}

// Whether the call names one image, not a place with images.
bool is_one_image(const Call& call) {
  const std::vector<ImageFile>& images = call.job.images;
  return !call.job.are_videos && call.images.size() == 1 && images.size() == 1 &&
         images.front().file == std::filesystem::path(call.images.front());
}

std::string sentence_of_interruption(const Call& call, const ExtractSummary& summary) {
  if (call.job.are_videos) return "interrupted";
  return fmt::format("interrupted before image {} of {}{}", summary.done + 1, summary.images,
                     call.job.output.empty() ? "" : "; --skip-existing goes on from there");
}

int run(Call& call) {
  ExtractJob& job = call.job;
  require_fitting_streams(call);
  for (ImageFile& image : job.images) {
    if (is_standard_stream(image.file)) image.name = "stdin";
  }
  const bool is_single = is_one_image(call);
  if (is_standard_stream(call.output) && !is_single) refuse_standard_output("it takes one image");
  if (call.estimate) return print_estimates_of(call, is_single);
  job.standard_input = standard_input();
  if (!is_standard_stream(call.output)) job.output = call.output;

  Work work;
  work.fail_all(job.problems);
  ListOutput out(call.json);
  bool is_first = true;
  if (call.json && !is_single) out.print("[");
  job.take = [&](const ExtractedImage& done) {
    work.progress().clear();
    print(call, done, std::exchange(is_first, false), out);
    // The job ends if its results are neither printed nor written to a file.
    return !out.is_broken() || !job.output.empty();
  };
  const ExtractSummary summary = work.run(extract_features, job);
  if (call.json) {
    out.print(!is_single ? "]\n" : is_first ? "" : "\n");
  } else if (!is_standard_stream(call.output)) {
    out.print(text_of(job, summary));
  }
  if (!summary.is_finished) work.end_if_interrupted(sentence_of_interruption(call, summary));
  out.require_whole();
  return work.exit_code();
}

}  // namespace

void define_extract(Command& command) {
  const auto call = std::make_shared<Call>();

  command.add_option("IMAGE", call->images).required();
  command.add_flag("--recursive", call->recursive);
  add_read_options(command, call->job.read);
  add_one_range(command);
  command.add_option("--mask", call->job.mask);

  CommandOption& output = command.add_option("-o,--output", call->output);
  add_choice<FeatureFormat>(command, "--format", call->job.format,
                            {{"colmap", FeatureFormat::colmap},
                             {"npz", FeatureFormat::npz},
                             {"json", FeatureFormat::json},
                             {"hloc", FeatureFormat::hloc}})
      .needs(output);
  command.add_flag("--draw", call->job.draw).needs(output);
  command.add_flag("--skip-existing", call->job.skip_existing).needs(output);
  command.add_flag("--json", call->json);
  add_estimate(command, "extraction", output, call->estimate);
  add_shard_option(command, call->job.shard, "the images, by a hash of their names,").needs(output);

  add_detector_options(command, call->job.detector, Descriptors::on_request);
  add_device_options(command, call->job.device);
  add_clip_options(command, call->job.video, false);
  command.action = [call, &command] {
    find_inputs(call->job, call->images, call->recursive);
    require_effects_on_inputs(command, *call);
    take_one_range(command, call->images, call->recursive, call->job.read);
    return run(*call);
  };
}

}  // namespace octavo::cli
