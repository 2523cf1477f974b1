#include "cli/colmap_call.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>
#include <variant>

#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/interruption.h"
#include "cli/list.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/wrong_call.h"
#include "octavo/choose_pairs.h"
#include "octavo/error.h"
#include "octavo/output_file.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// The number in "sequential:N", if --pairs begins so. Throws WrongCall.
std::optional<std::size_t> number_behind(std::string_view pairs, std::string_view word) {
  if (!pairs.starts_with(word)) return std::nullopt;
  const std::string_view number = pairs.substr(word.size());
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value < 1 || value > 1000000) {
    throw WrongCall(fmt::format("--pairs is \"{}\", but must have a whole number between 1 and 1000000", pairs));
  }
  return value;
}

// A picture that cannot be read has no pairs. Its extraction will tell why.
PairList similar_pairs(const ColmapCall& call, std::span<const PictureFile> pictures, std::size_t neighbours,
                       Progress& progress, const Interruption& interruption) {
  const auto show = [&](const ProgressStep& step) {
    progress.show(fmt::format("comparing {}", step.item), step.done, step.total);
  };
  ReadOptions read = call.read;
  read.apply_exif_rotation = false;  // as their features are made
  const CollectionVlads vlads = vlads_of_pictures(pictures, PairOptions().size, retrieval_detector(), call.job.device,
                                                  read, {.progress = show, .stop = interruption.stop()});
  progress.clear();
  if (interruption.is_requested()) {
    complain("interrupted while pairs were chosen; nothing is written");
    interruption.end_program();
  }
  return {pairs_of_similar(most_similar_pictures(vlads, neighbours, call.job.device)), {}};
}

PairList pairs_of(const ColmapCall& call, std::span<const PictureFile> pictures, Progress& progress,
                  const Interruption& interruption) {
  if (call.pairs == "all") return {all_pairs(pictures.size()), {}};
  if (const auto reach = number_behind(call.pairs, "sequential:"))
    return {sequential_pairs(pictures.size(), *reach), {}};
  if (const auto neighbours = number_behind(call.pairs, "retrieval:")) {
    return similar_pairs(call, pictures, *neighbours, progress, interruption);
  }
  std::vector<std::string> names;
  for (const PictureFile& picture : pictures) names.push_back(picture.name.generic_string());
  return read_pair_list(call.pairs, names);
}

void add_camera_params(Command& command, ColmapJob& job) {
  const auto take = [&job](const std::vector<std::string>& texts) {
    job.camera_params.clear();
    for (const std::string& text : texts) {
      const OptionFacts number{
          .name = "camera_params", .low = -1e9, .high = 1e9, .kind = OptionKind::number, .is_bounded = true};
      const OptionValue value = value_of(number, text);
      check_value(number, value);
      job.camera_params.push_back(std::get<double>(value));
    }
  };
  add_list(command, "--camera-params", take,
           "The parameters of all cameras in the order of COLMAP's model, such as F,CX,CY,K, in pixels from the corner "
           "of the image. They count as known.")
      .type_name("F,CX,CY,...")
      .group(std::string(option_table<ColmapOptions>().find("camera_model")->group));
}

}  // namespace

void add_colmap_options(Command& command, ColmapCall& call) {
  ColmapJob& job = call.job;
  command
      .add_option("--pairs", call.pairs,
                  "Which pairs are matched: all; sequential:N, each image with the N next ones by name; retrieval:K, "
                  "with the K that look most alike, see octavo pairs; or the pairs that this file lists, two names a "
                  "line.")
      .type_name("all|sequential:N|retrieval:K|FILE")
      .default_str(call.pairs);
  command.add_flag("--recursive", call.recursive, "Also take the pictures in subfolders of the folders.");
  add_options(command, option_table<ReadOptions>(), call.read, {"apply_exif_rotation"});
  add_options(command, option_table<ColmapOptions>(), job.options);
  add_camera_params(command, job);
  add_match_options(command, job.match);
  add_robust_options(command, job.robust);
  add_detector_options(command, job.detector, Descriptors::always);
  add_device_options(command, job.device);
}

void require_effects(const Command& command, const ColmapCall& call) {
  const ColmapJob& job = call.job;
  require_effects(command, option_table<ColmapOptions>(), job.options);
  refuse_without_gpu(command, "--gpu-feature-memory", job.device);
  if (job.options.verify == ColmapOptions::Verify::none) {
    for (const auto& option : option_table<RobustOptions>().options) {
      refuse_if_given(command, flag_of(option.name), "without --verify usac");
    }
  }
  for (const std::string_view word : {"sequential:", "retrieval:"}) number_behind(call.pairs, word);  // or it throws
  const std::size_t wanted = parameter_count(job.options.camera_model);
  if (!job.camera_params.empty() && job.camera_params.size() != wanted) {
    throw WrongCall(
        fmt::format("--camera-params has {} numbers, but the camera model has {}", job.camera_params.size(), wanted));
  }
}

PictureFiles colmap_pictures(const ColmapCall& call, const fs::path& database) {
  PictureFiles found = find_pictures(call.places, call.recursive);
  if (const auto same = same_name(found.pictures)) {
    throw WrongCall(
        fmt::format("{} and {} would have the same name in the database; give the folder above "
                    "both, with --recursive",
                    same->first.file.string(), same->second.file.string()));
  }
  const std::vector<fs::path> written{database};
  std::vector<fs::path> read{call.pairs};
  for (const PictureFile& picture : found.pictures) read.push_back(picture.file);
  require_not_read(written, read);
  require_writable(written);
  return found;
}

ColmapOutcome fill_database(ColmapCall& call, PictureFiles found, bool has_pairs,
                            const std::function<ColmapSummary(const ColmapJob&, const JobContext&)>& fill,
                            Progress& progress, const Interruption& interruption) {
  ColmapJob& job = call.job;
  ColmapOutcome outcome;
  const JobContext context{
      .progress = progress.sink(), .stop = interruption.stop(), .fail = [&](const std::string& sentence) {
        outcome.problems.push_back(sentence);
        progress.clear();
        complain(sentence);
      }};
  job.read = call.read;
  job.device.progress = progress.sink();
  PairList pairs = has_pairs ? pairs_of(call, found.pictures, progress, interruption) : PairList{};
  for (const std::string& problem : found.problems) context.fail(problem);
  for (const std::string& problem : pairs.problems) context.fail(problem);
  if (found.pictures.empty()) return outcome;
  job.pictures = std::move(found.pictures);
  job.pairs = std::move(pairs.pairs);
  outcome.summary = fill(job, context);
  progress.clear();
  if (outcome.summary.is_finished) return outcome;
  complain(fmt::format("interrupted with {} of {} pictures and {} pairs; the same call goes on from there",
                       outcome.summary.pictures, job.pictures.size(), outcome.summary.pairs));
  interruption.end_program();
}

}  // namespace octavo::cli
