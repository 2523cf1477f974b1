// octavo sfm: from photographs to a model of cameras and points, by the mapper that is installed.

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/colmap_call.h"
#include "cli/command.h"
#include "cli/inputs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::vector<std::string> places;
  std::filesystem::path model;  // to which photographs are added; empty: one is made
  ModelJob job;
  std::vector<std::string> collection_flags;  // the options of `collection`
  bool json = false;
};

template <class Result>
void print_result(bool json, const Result& result, const std::string& page) {
  print_whole(json ? json_of(result) + "\n" : text_of(result) + fmt::format("page                {}\n", page), json);
}

// What suits a video is taken where the call does not say it.
void take_video(const Command& command, ModelJob& job) {
  refuse_if_given(command, {"--database", "--recursive", "--one-range", "--gps"}, "with a video");
  refuse_options<PanoramaOptions>(command, "with a video");
  if (!command.is_given("--pairs")) job.collection.pairs = pairs_of_video;
  if (!command.is_given("--cameras")) job.collection.colmap.options.cameras = ColmapOptions::Cameras::one;
}

// Refuses options that those of the model's database replace.
void require_options_of_model(const Call& call, const Command& command) {
  constexpr std::array<std::string_view, 15> own{
      "--pairs",          "--recursive",          "--cameras", "--max-pixels", "--range",   "--black",
      "--white",          "--one-range",          "--device",  "--isa",        "--threads", "--gpu-memory",
      "--feature-memory", "--gpu-feature-memory", "--mask"};
  for (const std::string& flag : call.collection_flags) {
    if (std::ranges::find(own, flag) == own.end()) refuse_if_given(command, flag, "with --model");
  }
  refuse_if_given(command, {"--max-frames", "--gps", "--no-refine"}, "with --model");
}

int localise_photographs(Call& call, const Command& command) {
  require_options_of_model(call, command);
  require_effects(command, call.job.collection);
  const ColmapJob& colmap = call.job.collection.colmap;
  take_one_range(command, call.places, call.job.recursive, call.job.collection.colmap.read);
  LocaliseJob job{.model = call.model,
                  .database = call.job.database,
                  .found = find_images(call.places, call.job.recursive),
                  .folder = call.job.folder,
                  .mask = colmap.mask,
                  .read = colmap.read,
                  .device = colmap.device,
                  .feature_memory = colmap.options.feature_memory,
                  .gpu_feature_memory = colmap.options.gpu_feature_memory,
                  .options = call.job.options};
  if (command.is_given("--pairs")) job.pairs = call.job.collection.pairs;
  if (command.is_given("--cameras")) job.cameras = colmap.options.cameras;
  Work work;
  const LocalisedImages localised = work.run(localise, job);
  if (!localised.is_finished) work.end_if_interrupted("interrupted; the same call goes on from there");
  if (localised.images.empty()) return exit_failed;
  const std::string page = (job.folder / "report.html").string();
  print_result(call.json, localised, page);
  if (localised.registered() > 0) return work.exit_code();
  complain(
      fmt::format("none of {} photographs is registered; '{}' tells what each lacks", localised.images.size(), page));
  return exit_failed;
}

int run(Call& call, const Command& command) {
  if (!call.model.empty()) return localise_photographs(call, command);
  ModelJob& job = call.job;
  if (call.places.size() > 1) throw WrongCall("PHOTOS are one folder or video, unless --model is given");
  job.photographs = call.places.front();
  if (is_of_video(job)) {
    take_video(command, job);
  } else {
    refuse_if_given(command, "--max-frames", "without a video");
  }
  if (job.database.empty()) {
    require_effects(command, job.collection);
    require_effects(command, job.panorama);
  } else {
    for (const std::string& flag : call.collection_flags) refuse_if_given(command, flag, "with --database");
  }
  take_one_range(command, std::array{job.photographs.string()}, job.recursive, job.collection.colmap.read);
  Work work;
  const MadeModel made = work.run(make_model, job);
  if (!made.is_finished) {
    work.end_if_interrupted(fmt::format("interrupted with {} images and {} pairs; the same call goes on from there",
                                        made.database.images, made.database.pairs));
  }
  const SfmResult& result = made.result;
  if (result.images.empty()) return exit_failed;
  const std::string page = (job.folder / "report.html").string();
  print_result(call.json, result, page);
  if (!result.models.empty()) return work.exit_code();
  complain(fmt::format("there is no model of {} images: {}; '{}' tells what each lacks", result.images.size(),
                       result.failure, page));
  return exit_failed;
}

}  // namespace

void define_sfm(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("PHOTOS", call->places).required();
  command.add_option("-o,--output", call->job.folder).required();
  command.add_option("--database", call->job.database);
  command.add_option("--model", call->model);
  add_number(command, {.name = "max_frames", .low = 2, .high = 1000000, .special = 0}, call->job.max_frames);
  command.add_flag("--json", call->json);
  add_options(command, call->job.options, {"refine"});
  command.add_flag("--no-refine", [call] { call->job.options.refine = false; });
  const std::size_t own = command.options().size();
  add_collection_options(command, call->job.collection, call->job.recursive);
  add_options(command, call->job.panorama);
  for (std::size_t i = own; i < command.options().size(); ++i) {
    call->collection_flags.push_back(command.options()[i]->name());
  }
  command.action = [call, &command] { return run(*call, command); };
}

}  // namespace octavo::cli
