// octavo colmap: photographs become a database of COLMAP.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/interruption.h"
#include "cli/json_text.h"
#include "cli/list.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/colmap_job.h"
#include "octavo/error.h"
#include "octavo/output_file.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(make a COLMAP database of photographs

Extracts the keypoints of the photographs, matches pairs of them, and writes a
database that COLMAP's programs read: cameras, images, keypoints, descriptors,
matches and, with --verify, two-view geometries. An image that cannot be read is
reported, and the others are processed. What the database already has is left
out, so further photographs and pairs can be added.)";

constexpr auto footer = R"(Database:
  The tables are those of COLMAP 3.8, which later versions read too. A database
  that a later version made keeps its tables. Images are named by their paths
  below the folder (COLMAP's --image_path), or by their file names. They are
  read as they are stored, without the rotation of EXIF data. Focal lengths come
  from EXIF data; where these give none it is 1.2 times the longer side, and
  prior_focal_length is 0. The table "octavo" has the options of the call.
  The work is done in .FILE.part, and the file appears at the end. A run can be
  interrupted or killed at any moment: the same call loses at most the image or
  pair in work, and the file has the bytes of one run. They do not depend on
  the device and the number of threads.

JSON:
  {"database": "a.db", "pictures": 20, "extracted": 20, "keypoints": 161022,
   "pairs": 190, "matched": 190, "matches": 95000, "verified": 150,
   "inliers": 80000, "failed": 0}
"pictures" and "pairs" are in the database, "extracted" and "matched" are new.

Examples:
  octavo colmap photos/ --database a.db
  octavo colmap photos/ -d a.db --pairs sequential:10 --cameras one
  octavo colmap photos/ -d a.db --pairs pairs.txt --verify usac --guided
  octavo colmap photos/ -d a.db --preset colmap --camera-model opencv
then
  colmap matches_importer --database_path a.db --match_list_path pairs.txt
  colmap mapper --database_path a.db --image_path photos --output_path model

Exit codes:
  0  done
  1  an image or pair failed, see the error stream; the others are processed.
     Or the database cannot be written
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); the same call goes on)";

struct Call {
  std::vector<std::string> images;
  bool recursive = false;
  ReadOptions read;
  std::string database;
  std::string pairs = "all";
  bool json = false;
  ColmapJob job;
};

// The number in "sequential:N". Throws CLI::ValidationError.
std::size_t reach_of(std::string_view number) {
  std::size_t reach = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), reach);
  if (error != std::errc() || end != number.data() + number.size() || reach < 1 || reach > 1000000) {
    throw CLI::ValidationError(
        fmt::format("--pairs is \"sequential:{}\", but must have a whole number between 1 and 1000000", number));
  }
  return reach;
}

PairList pairs_of(const Call& call, const std::vector<PictureFile>& pictures) {
  constexpr std::string_view sequential = "sequential:";
  if (call.pairs == "all") return {all_pairs(pictures.size()), {}};
  if (call.pairs.starts_with(sequential)) {
    return {sequential_pairs(pictures.size(), reach_of(std::string_view(call.pairs).substr(sequential.size()))), {}};
  }
  std::vector<std::string> names;
  for (const PictureFile& picture : pictures) names.push_back(picture.name.generic_string());
  return read_pair_list(call.pairs, names);
}

void require_database(const Call& call, const std::vector<PictureFile>& pictures) {
  const std::vector<fs::path> written{call.database};
  std::vector<fs::path> read{call.pairs};
  for (const PictureFile& picture : pictures) read.push_back(picture.file);
  require_not_read(written, read);
  require_writable(written);
}

void require_distinct_names(const std::vector<PictureFile>& pictures) {
  if (const auto same = same_name(pictures)) {
    throw CLI::ValidationError(
        fmt::format("{} and {} would have the same name in the database; give the folder above "
                    "both, with --recursive",
                    same->first.file.string(), same->second.file.string()));
  }
}

void print(const Call& call, const ColmapSummary& summary) {
  if (call.json) {
    fmt::print("{}\n", json_text(nlohmann::ordered_json{{"database", call.database},
                                                        {"pictures", summary.pictures},
                                                        {"extracted", summary.extracted},
                                                        {"keypoints", summary.keypoints},
                                                        {"pairs", summary.pairs},
                                                        {"matched", summary.matched},
                                                        {"matches", summary.matches},
                                                        {"verified", summary.verified},
                                                        {"inliers", summary.inliers},
                                                        {"failed", summary.failed}}));
    return;
  }
  fmt::print("pictures     {} ({} new, {} keypoints)\n", summary.pictures, summary.extracted, summary.keypoints);
  fmt::print("pairs        {} ({} new, {} matches)\n", summary.pairs, summary.matched, summary.matches);
  if (call.job.options.verify != ColmapOptions::Verify::none) {
    fmt::print("verified     {} ({} inliers)\n", summary.verified, summary.inliers);
  }
  fmt::print("file         {}\n", call.database);
}

int run(Call& call, const CLI::App& command) {
  ColmapJob& job = call.job;
  require_effects(command, option_table<ColmapOptions>(), job.options);
  if (job.options.verify == ColmapOptions::Verify::none) {
    for (const auto& option : option_table<RobustOptions>().options) {
      refuse_if_given(command, flag_of(option.name), "without --verify usac");
    }
  }
  const std::size_t wanted = parameter_count(job.options.camera_model);
  if (!job.camera_params.empty() && job.camera_params.size() != wanted) {
    throw CLI::ValidationError(
        fmt::format("--camera-params has {} numbers, but the camera model has {}", job.camera_params.size(), wanted));
  }
  PictureFiles found = find_pictures(call.images, call.recursive);
  require_distinct_names(found.pictures);
  require_database(call, found.pictures);
  PairList pairs = pairs_of(call, found.pictures);

  Progress progress;
  bool failed = false;
  job.fail = [&](const std::string& sentence) {
    failed = true;
    progress.clear();
    complain(sentence);
  };
  for (const std::string& problem : found.problems) job.fail(problem);
  for (const std::string& problem : pairs.problems) job.fail(problem);
  if (found.pictures.empty()) return exit_failed;
  job.pictures = std::move(found.pictures);
  job.pairs = std::move(pairs.pairs);
  job.max_pixels = call.read.max_pixels;
  job.device.progress = progress.sink();
  job.progress = [&](const ColmapProgress& step) {
    progress.show(fmt::format("{} {}", step.stage, step.name), step.done, step.total);
  };
  const Interruption interruption;
  job.stop = [&] { return interruption.is_requested(); };

  const ColmapSummary summary = fill_colmap_database(call.database, job);
  progress.clear();
  if (!summary.is_finished) {
    complain(fmt::format("interrupted with {} of {} pictures and {} pairs; the same call goes on from there",
                         summary.pictures, job.pictures.size(), summary.pairs));
    interruption.end_program();
  }
  print(call, summary);
  return failed ? exit_failed : exit_done;
}

}  // namespace

void add_colmap(CLI::App& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "colmap", description, footer);
  ColmapJob& job = call->job;
  job.detector = SiftOptions{.max_features = 8192};  // as COLMAP

  command
      .add_option("IMAGE", call->images,
                  "Pictures, folders of them, or quoted patterns such as 'photos/*.jpg', as octavo extract takes them.")
      ->required()
      ->type_name("FILE");
  command.add_option("-d,--database", call->database, "The database, which is made, or added to.")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--pairs", call->pairs,
                  "Which pairs are matched: all; sequential:N, each image with the N next ones by name; or the pairs "
                  "that this file lists, two names a line.")
      ->type_name("all|sequential:N|FILE")
      ->capture_default_str();
  command.add_flag("--recursive", call->recursive, "Also take the pictures in subfolders of the folders.");
  add_options(command, option_table<ReadOptions>(), call->read, {"apply_exif_rotation"});
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");

  const OptionTable<ColmapOptions>& table = option_table<ColmapOptions>();
  add_options(command, table, job.options);
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
      ->type_name("F,CX,CY,...")
      ->group(std::string(table.find("camera_model")->group));
  add_match_options(command, job.match);
  add_robust_options(command, job.robust);
  add_detector_options(command, job.detector, Descriptors::always);
  add_device_options(command, job.device);
  command.callback([call, &command, &exit_code] { exit_code = run(*call, command); });
}

}  // namespace octavo::cli
