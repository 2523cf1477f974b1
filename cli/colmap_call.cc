#include "cli/colmap_call.h"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/list.h"
#include "cli/one_range.h"
#include "cli/options.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/jobs/pairs_job.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

PairList pairs_of(const ColmapCall& call, std::vector<ImageFile> images, Work& work) {
  PairsJob job{.images = std::move(images), .options = {}, .read = call.read, .device = call.job.device};
  job.read.apply_exif_rotation = false;  // as the features are made
  PairList pairs = pairs_by_text(call.pairs, std::move(job), work.context());
  work.end_if_interrupted("interrupted while pairs were chosen; nothing is written");
  return pairs;
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
  add_pairs_option(command, call.pairs);
  command.add_flag("--recursive", call.recursive, "Also take the images in subfolders of the folders.");
  add_options(command, option_table<ReadOptions>(), call.read, {"apply_exif_rotation"});
  add_one_range(command);
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
  static_cast<void>(pair_options_of(call.pairs));  // throws for a wrong number
  const std::size_t wanted = parameter_count(job.options.camera_model);
  if (!job.camera_params.empty() && job.camera_params.size() != wanted) {
    throw WrongCall(
        fmt::format("--camera-params has {} numbers, but the camera model has {}", job.camera_params.size(), wanted));
  }
}

ImageFiles colmap_images(const ColmapCall& call, const fs::path& database) {
  ImageFiles found = find_images(call.places, call.recursive);
  if (const auto same = same_name(found.images)) {
    throw WrongCall(
        fmt::format("{} and {} would have the same name in the database; give the folder above "
                    "both, with --recursive",
                    same->first.file.string(), same->second.file.string()));
  }
  const std::vector<fs::path> written{database};
  std::vector<fs::path> read{call.pairs};
  for (const ImageFile& image : found.images) read.push_back(image.file);
  require_not_read(written, read);
  require_writable(written);
  return found;
}

ColmapSummary fill_database(ColmapCall& call, ImageFiles found, bool has_pairs,
                            const std::function<ColmapSummary(const ColmapJob&, const JobContext&)>& fill, Work& work) {
  ColmapJob& job = call.job;
  job.read = call.read;
  PairList pairs = has_pairs ? pairs_of(call, found.images, work) : PairList{};
  work.fail_all(found.problems);
  work.fail_all(pairs.problems);
  if (found.images.empty()) return {};
  job.images = std::move(found.images);
  job.pairs = std::move(pairs.pairs);
  const ColmapSummary summary = fill(job, work.context());
  work.progress().clear();
  if (!summary.is_finished) {
    work.end_if_interrupted(
        fmt::format("interrupted with {} of {} images and {} pairs; the same call goes on from there", summary.images,
                    job.images.size(), summary.pairs));
  }
  return summary;
}

}  // namespace octavo::cli
