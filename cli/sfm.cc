// octavo sfm: from photographs to a model of cameras and points, by the mapper that is installed.

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/error.h"
#include "octavo/output_file.h"
#include "octavo/sfm.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(make a model of cameras and points from photographs

Has the matches of a COLMAP database verified, runs the mapper that is installed
(COLMAP, GLOMAP or pycolmap), and writes a page that shows what became of each
photograph: cameras and points in space, pictures in no model with the reason,
reprojection errors, and the graph of matches. A run that was stopped begins
again with the mapper; matches that are verified are kept.)";

constexpr auto footer = R"(The folder MODEL gets
  report.html   the page, which needs a browser and no network
  sparse/0 ...  the models in COLMAP's format, as the mapper numbers them
  mapper.log    what the mapper printed

JSON:
  {"photographs": "/home/me/photos", "database": "/home/me/photos.db",
   "mapper": "colmap", "mapper_program": "/usr/bin/colmap", "registered": 11,
   "verify_seconds": 1.2, "map_seconds": 5.3,
   "models": [{"folder": "/home/me/model/sparse/0", "pictures": 11,
     "points": 2210, "observations": 8102, "mean_track_length": 3.67,
     "mean_reprojection_error": 0.41, "error_bin_width": 0.1,
     "error_bins": [...], "track_lengths": [...], "cameras": [...]}],
   "pictures": [{"name": "a.jpg", "model": 0, "keypoints": 3100,
     "matched_pairs": 10, "verified_pairs": 7, "best_inliers": 640,
     "points": 1011, "reprojection_error": 0.39, "failure": null,
     "reason": null}, ...],
   "pairs": [{"a": 0, "b": 1, "matches": 702, "inliers": 640}, ...]}
The models are sorted by their pictures, the largest first; "model", "a" and "b"
count from 0. Errors are in pixels. "failure" is no_keypoints, no_matches,
few_inliers (fewer than 15 verified matches in every pair), not_connected (no
verified pairs lead to a model) or not_registered (by the mapper).

Examples:
  octavo sfm photos/ --database photos.db -o model
  octavo sfm photos/ --database photos.db -o model --mapper pycolmap --json

Exit codes:
  0  done: there is a model, also where it lacks pictures
  1  no model, no mapper, or a mapper that failed
  2  the call was wrong)";

struct Call {
  std::string photographs, output, database;
  SfmOptions options;
  bool json = false;
};

void print_text(const SfmResult& result, const fs::path& page) {
  fmt::print("mapper              {}\n", result.mapper.program);
  fmt::print("registered          {} of {} pictures\n", result.registered(), result.pictures.size());
  for (const SfmModelResult& model : result.models) {
    fmt::print("model               {}\n", model.folder.string());
    fmt::print("  pictures          {}\n", model.model.pictures.size());
    fmt::print("  points            {}\n", model.model.points.size());
    fmt::print("  track length      {:.2f}\n", model.mean_track);
    fmt::print("  reprojection      {:.3f} px\n", model.mean_error);
  }
  for (const SfmPictureResult& picture : result.pictures) {
    if (!picture.model) fmt::print("in no model         {}: {}\n", picture.name, sentence_of(picture));
  }
  fmt::print("page                {}\n", page.string());
}

int run(const Call& call) {
  validate(call.options);
  if (!fs::is_directory(call.photographs)) {
    throw Error(ErrorCode::file_error, fmt::format("there is no folder '{}'", call.photographs));
  }
  const fs::path page = fs::path(call.output) / "report.html";
  require_writable_folder(call.output);
  Progress progress;
  const Interruption interruption;
  progress.show("model");
  SfmResult result;
  try {
    result = reconstruct(call.photographs, call.database, call.output, call.options, progress.sink(),
                         [&] { return interruption.is_requested(); });
  } catch (const Error&) {
    progress.clear();
    if (interruption.is_requested()) interruption.end_program();
    throw;
  }
  progress.show("page");
  write_file(page, page_of(result));
  progress.clear();
  if (call.json) {
    fmt::print("{}\n", json_of(result));
  } else {
    print_text(result, page);
  }
  if (!result.models.empty()) return exit_done;
  complain(fmt::format("the mapper {} found no model of {} pictures: '{}' tells what each lacks",
                       name_of(result.mapper.kind), result.pictures.size(), page.string()));
  return exit_failed;
}

}  // namespace

void add_sfm(CLI::App& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "sfm", description, footer);
  command.add_option("PHOTOS", call->photographs, "The folder of the photographs.")->required()->type_name("DIR");
  command.add_option("-o,--output", call->output, "The folder of the model, which is made.")
      ->required()
      ->type_name("MODEL");
  command
      .add_option("--database", call->database,
                  "The COLMAP database of the photographs, with keypoints and matches. Verified matches are added.")
      ->required()
      ->type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  add_options(command, option_table<SfmOptions>(), call->options);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
