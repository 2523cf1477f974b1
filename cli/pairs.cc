// octavo pairs: which images of a collection are to be matched.

#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/detector.h"
#include "cli/inputs.h"
#include "io/features/hloc.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  CollectionPlaces places;
  std::string output;
  bool json = false;
  std::optional<Shard> shard;
  PairsJob job;

  [[nodiscard]] bool is_streamed() const { return is_standard_stream(output); }
};

void require_fitting_shard(const Call& call) {
  if (call.job.options.by != PairsBy::retrieval) {
    refuse_without_effect("--shard",
                          "without --by retrieval, since the other ways read no images or only their EXIF data");
  }
  if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
  if (call.is_streamed()) refuse_standard_output("--shard needs a file");
  if (!call.job.image.empty()) refuse_without_effect("--image", "with --shard");
  if (call.json) refuse_without_effect("--json", "with --shard");
}

// Refuses what does not go together, before the work.
void check(const Call& call) {
  validate(call.job.options);
  const CollectionPlaces& places = call.places;
  if (places.images.empty() == places.features.empty()) {
    throw WrongCall(places.images.empty() ? "no images given, and no --features"
                                          : "--features and images exclude each other");
  }
  for (const std::string& image : places.images) {
    if (is_standard_stream(image)) throw WrongCall("-: the standard input is one image, without a pair");
  }
  if (!places.features.empty() && call.job.options.by == PairsBy::gps) {
    throw WrongCall("--by gps needs the images, since features do not tell where they were taken");
  }
  if (call.shard) require_fitting_shard(call);
  if (call.output.empty() && !call.json) throw WrongCall("no output given: -o or --json");
  if (call.json && call.is_streamed()) refuse_standard_output("--json has no place there");
}

// Makes the part of a shard, and returns what is printed of it.
std::string make_part(const Call& call, const std::vector<std::string>& problems, Work& work) {
  const auto images = write_pairs_shard(call.output, call.job, *call.shard, problems, work.context());
  if (!images) work.end_if_interrupted();
  return fmt::format("images       {} of {}\nfile         {}\n", images.value(), call.job.images.size(), call.output);
}

// Chooses the pairs and returns what is printed of them.
std::string choose(Call& call, Work& work) {
  if (!call.is_streamed()) call.job.output = call.output;
  const ChosenPairs chosen = choose_pairs(call.job, work.context());
  work.end_if_interrupted();
  if (call.json) return json_of(call.job, chosen, work.failures()) + "\n";
  if (chosen.pairs.empty()) return {};
  if (!call.is_streamed()) {
    return fmt::format("images       {}\npairs        {}\nfile         {}\n", call.job.images.size(),
                       chosen.pairs.size(), call.output);
  }
  std::vector<std::string> names;
  for (const ImageFile& image : call.job.images) names.push_back(image.name.generic_string());
  return pair_list(names, chosen.pairs);
}

int run(Call& call) {
  check(call);
  call.places.are_listed = call.job.are_listed = !call.output.empty();
  ImageFiles files = find_collection(call.places);
  Work work;
  work.fail_all(files.problems);
  if (files.images.empty()) return exit_failed;  // an earlier list stays
  call.job.images = std::move(files.images);
  call.job.of_features = !call.places.features.empty();
  const std::string text = call.shard ? make_part(call, files.problems, work) : choose(call, work);
  work.progress().clear();
  ListOutput out(call.json);
  out.print(text);
  out.require_whole();
  return work.exit_code();
}

// Options of extraction, which have no effect where nothing is extracted.
void require_extraction(const Command& command, const Call& call) {
  const bool is_extracting = call.job.options.by == PairsBy::retrieval && call.places.features.empty();
  if (is_extracting) return;
  const std::string circumstance = call.places.features.empty() ? "without --by retrieval" : "with --features";
  if (call.job.options.by != PairsBy::retrieval) refuse_options<DeviceOptions>(command, "without --by retrieval");
  if (call.job.options.by != PairsBy::gps) refuse_read_options(command, circumstance);
  refuse_if_given(command, {"--one-range", "--size"}, circumstance);
  for (const std::string& flag : detector_flags()) refuse_if_given(command, flag, circumstance);
}

}  // namespace

void define_pairs(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("IMAGE", call->places.images);
  command.add_option("--features", call->places.features);
  command.add_flag("--recursive", call->places.recursive);
  add_read_options(command, call->job.read);
  add_one_range(command);
  command.add_option("-o,--output", call->output);
  command.add_option("--image", call->job.image);
  command.add_flag("--json", call->json);
  add_shard_option(command, call->shard, "the images, by a hash of their names,");
  add_options(command, call->job.options);
  add_detector_options(command, call->job.detector, Descriptors::always);
  add_device_options(command, call->job.device);
  command.action = [call, &command] {
    require_effects(command, call->job.options);
    require_extraction(command, *call);
    if (call->places.features.empty()) {
      require_folder_to_recurse(command, call->places.images);
      take_one_range(command, call->places.images, call->places.recursive, call->job.read);
    } else if (is_hloc_file(call->places.features)) {
      refuse_if_given(command, "--recursive", "with --features of one file");
    }
    return run(*call);
  };
}

}  // namespace octavo::cli
