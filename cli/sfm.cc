// octavo sfm: from photographs to a model of cameras and points, by the mapper that is installed.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/colmap_call.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/one_range.h"
#include "cli/options.h"
#include "cli/work.h"
#include "cli/wrong_call.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(make a model of cameras and points from photographs or a video

Extracts and matches the photographs of a folder into a COLMAP database, as
octavo colmap does, has the matches verified, runs the mapper that is installed
(COLMAP, GLOMAP or pycolmap), and writes a page that shows what became of each
photograph: cameras and points in space, photographs in no model with the
reason, reprojection errors, and the graph of matches. A run that was stopped
goes on: features, matches and verified pairs are kept, and the mapper begins
again. So further photographs can be added too. Of a video those frames are
taken that suit a model. With --model photographs get poses in a model that is
there.)";

constexpr auto footer = R"(The folder MODEL gets
  report.html   the page, which needs a browser and no network
  sparse/0 ...  the models in COLMAP's format, as the mapper numbers them
  mapper.log    what the mapper printed
  database.db   features and matches, unless --database names a file
With --gps each model also gets a file sparse/N/gps.json.

A detector places a point of the scene a few tenths of a pixel apart in two
photographs. So the mapper gets refined keypoints: of those that verified
matches connect, that of the largest scale stays, and the others are moved to
where their photographs show the same. The database keeps them as they were
found. With --no-refine the mapper gets those, as COLMAP does it.

Of a video the folder MODEL/images gets frames that overlap by 60 to 80 percent
in what they show, the sharpest near each place, as JPEG files that are named by
their times: frame-00003.240s.jpg. Parts in which the camera stands still give
none. The same call again takes the files that are there. Where they are not
given, --pairs is sequential:10+retrieval:20 then, and --cameras one.

With --model M photographs, or folders of them, are matched with images of the
model that octavo sfm has made in the folder M, and registered in it. M stays as
it is, and so do the poses of its images. The folder MODEL gets the same files
for the model with the new photographs; its database is a copy of that in M, or
of that of --database, with which the new features and matches agree: options of
features and matches are those of M. --pairs is then all, a list, or
retrieval:50 where it is not given: each new photograph with the 50 images of M
that look most alike. --cameras says which of the new ones share a camera, with
each other and with those of M; where it is not given it is that of M. --mask is
of the new ones.

Panoramas all around (equirectangular) are cut into views of pinhole cameras:
those whose XMP data say so (GPano), with --panoramas 2:1 all images twice as
wide as high. MODEL/images gets a folder for each, with views that are named by
their turn to the right of its middle, pano.jpg/yaw045.jpg, and links to the
other photographs. Focal lengths of views are known. Views of one panorama are
not matched with each other, since they see no depth; --pairs sequential:N, all
and lists are of whole panoramas. The poses of its views are told together.
What --mask hides of a panorama is hidden in its views.

A mapper is looked for before the work: colmap, then glomap in the folders of
PATH, then pycolmap of python3. --mapper glomap is the mapper that finds all
poses at once: the program glomap, else that of COLMAP 4 (global_mapper), else
that of pycolmap 4. Names of photographs may have any bytes.

With --gps coordinates are metres: x east, y north, z up of an origin, the
middle of the places that the EXIF data (GPS) tell. The model is turned, scaled
and moved as most of the places say; those that are far off are named. Three
images with latitude, longitude and altitude are needed. A warning says what
the places do not determine, such as the turn about a line of cameras.

JSON:
  {"folder": "/home/me/photos", "database": "/home/me/photos.db",
   "mapper": "colmap", "mapper_program": "/usr/bin/colmap",
   "registered_image_count": 11, "database_seconds": 9.1,
   "verify_seconds": 1.2, "refine_seconds": 0.9, "map_seconds": 5.3,
   "models": [{"folder": "/home/me/model/sparse/0", "image_count": 11,
     "point_count": 2210, "observation_count": 8102,
     "mean_track_length": 3.67, "mean_reprojection_error": 0.41,
     "error_bin_width": 0.1, "error_bins": [...], "track_lengths": [...],
     "cameras": [...], "gps": null}],
   "images": [{"image": "a.jpg", "model_index": 0,
     "keypoint_count": 3100, "matched_pair_count": 10, "verified_pair_count": 7,
     "best_inlier_count": 640, "point_count": 1011,
     "reprojection_error": 0.39, "failure": null, "reason": null}, ...],
   "panoramas": [{"image": "pano.jpg", "model_index": 0,
     "registered_view_count": 8,
     "centre": [1.2, 0.1, 3.4], "rotation": [0.98, 0.02, 0.18, 0.01],
     "centre_spread": 0.004, "rotation_spread": 0.05,
     "nearest_distance": 1.1, "disagreeing_views": [], "doubts": [],
     "views": [{"image": "pano.jpg/yaw000.jpg",
       "view_from_panorama": [1, 0, 0, 0]}, ...]}, ...],
   "pairs": [{"image_a": "a.jpg", "image_b": "b.jpg", "match_count": 702,
     "inlier_count": 640}, ...],
   "mapper_failure": null, "problems": [], "warnings": []}
The models are sorted by their images, the largest first; "model_index" counts
from 0. Errors are in pixels. "failure" is no_keypoints,
no_matches, few_inliers (fewer than 15 verified matches in every pair),
not_connected (no verified pairs lead to a model) or not_registered (by the
mapper). "problems" are sentences about photographs and pairs that failed
before, "warnings" about photographs that are copies of each other.
Of "panoramas" "centre" and "rotation" are means over the views that agree:
the place in the model, and the quaternion (w, x, y, z) that turns the model's
axes to those of the panorama (x right, y down, z ahead, its middle). Spreads
are root mean squares, of places in units of the model, of turns in degrees.
"mapper_failure" is null, or how the mapper ended without a model. With --gps
"gps" of a model is
  {"origin": {"latitude": 47.26543, "longitude": 11.39371, "altitude": 612},
   "metres_from_mapper": {"scale": 4.1, "rotation": [1, 0, 0, 0],
     "translation": [0.3, -2.1, 0.8]},
   "used_count": 10, "rms_residual": 1.7, "doubts": [],
   "places": [{"image": "a.jpg", "residual": [0.4, -1.1, 0.9],
     "is_used": true}, ...]}
Residuals lead from the GPS place to the camera: metres east, north and up. A
model that the places do not determine stays as the mapper made it:
"metres_from_mapper" and residuals are null, and "doubts" say why.

JSON with --model:
  {"model": "/home/me/model", "folder": "/home/me/more",
   "database": "/home/me/more/database.db", "mapper": "colmap",
   "mapper_program": "/usr/bin/colmap", "registered_image_count": 1,
   "database_seconds": 1.1, "verify_seconds": 0.2, "map_seconds": 0.3,
   "images": [{"image": "new.jpg", ..., "centre": [1.2, 0.1, 3.4],
     "rotation": [0.98, 0.02, 0.18, 0.01], "camera": {"id": 2,
       "model": "SIMPLE_RADIAL", "width": 4000, "height": 3000,
       "parameters": [...]}}, ...],
   "mapper_failure": null, "problems": [], "warnings": []}
The images are the new photographs, with what is told of others above. "centre"
is the place of the camera in the model, "rotation" the quaternion (w, x, y, z)
that turns the model's axes to those of the camera (x right, y down, z ahead).
Both, and "camera", are null for one that is not registered. "warnings" tell
photographs with much larger errors than the model.

Examples:
  octavo sfm photos/ -o model
  octavo sfm frames/ -o model --pairs sequential:10 --cameras one
  octavo sfm photos/ -o model --pairs retrieval:50 --mapper pycolmap --json
  octavo sfm photos/ -o model --mapper glomap
  octavo sfm photos/ --database photos.db -o model
  octavo sfm drone/ -o model --gps
  octavo sfm walk.mp4 -o model
  octavo sfm new.jpg more/ --model model -o larger
  octavo sfm rooms/ -o model --panoramas 2:1

Exit codes:
  0  done: there is a model, also where it lacks images; with --model, one of
     the new photographs is in it
  1  no model, no mapper, or a mapper that failed; or a photograph or pair
     failed, see the error stream: the model is made of the others
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); the same call goes on)";

struct Call {
  std::vector<std::string> places;
  std::filesystem::path model;  // to which photographs are added; empty: one is made
  ModelJob job;
  std::vector<std::string> collection_flags;  // the options of `collection`
  bool json = false;
};

void print_gps(const SfmGps& gps) {
  fmt::print("  metres            east, north, up of {}, {}, {} m\n", gps.origin.latitude, gps.origin.longitude,
             gps.origin.altitude.value_or(0));
  fmt::print("  GPS residual      {:.2f} m, {} of {} places\n", gps.rms, gps.used, gps.places.size());
}

void print_panorama(const SfmPanorama& panorama) {
  if (!panorama.model) {
    fmt::print("panorama            {}: no view is in a model\n", panorama.name);
    return;
  }
  const auto& [x, y, z] = panorama.centre;
  const std::string share =
      panorama.nearest
          ? fmt::format(", {:.1f} % of {:.4g}", 100 * panorama.centre_spread / *panorama.nearest, *panorama.nearest)
          : "";
  fmt::print("panorama            {}: {} of {} views at {:.4g} {:.4g} {:.4g}, spread {:.2g}{}, {:.2f} degrees\n",
             panorama.name, panorama.registered, panorama.views.size(), x, y, z, panorama.centre_spread, share,
             panorama.rotation_spread);
}

void print_text(const SfmResult& result, const std::string& page) {
  fmt::print("mapper              {}\n", result.mapper.program);
  fmt::print("registered          {} of {} images\n", result.registered(), result.images.size());
  for (const SfmModelResult& model : result.models) {
    fmt::print("model               {}\n", model.folder.string());
    fmt::print("  images            {}\n", model.model.images.size());
    fmt::print("  points            {}\n", model.model.points.size());
    fmt::print("  track length      {:.2f}\n", model.mean_track);
    fmt::print("  reprojection      {:.3f} px\n", model.mean_error);
    if (model.gps && model.gps->metres_from_mapper) print_gps(*model.gps);
  }
  for (const SfmPanorama& panorama : result.panoramas) print_panorama(panorama);
  for (const SfmImageResult& image : result.images) {
    if (!image.model) fmt::print("in no model         {}: {}\n", image.name, sentence_of(image));
  }
  fmt::print("page                {}\n", page);
}

// What suits a video is taken where the call does not say it.
void take_video(const Command& command, ModelJob& job) {
  for (const char* const flag : {"--database", "--recursive", "--one-range", "--gps"}) {
    refuse_if_given(command, flag, "with a video");
  }
  for (const auto& option : option_table<PanoramaOptions>().options) {
    refuse_if_given(command, flag_of(option.name), "with a video");
  }
  if (command.count("--pairs") == 0) job.collection.pairs = pairs_of_video;
  if (command.count("--cameras") == 0) job.collection.colmap.options.cameras = ColmapOptions::Cameras::one;
}

void print_text(const LocalisedImages& localised, const std::string& page) {
  fmt::print("mapper              {}\n", localised.result.mapper.program);
  fmt::print("registered          {} of {} photographs\n", localised.registered(), localised.images.size());
  for (const std::size_t i : localised.images) {
    const SfmImageResult& image = localised.result.images[i];
    const SfmImage* const pose = localised.pose_of(i);
    if (pose == nullptr) {
      fmt::print("not registered      {}: {}\n", image.name, sentence_of(image));
      continue;
    }
    const auto [x, y, z] = camera_centre(*pose);
    fmt::print("in the model        {}: at {:.4g} {:.4g} {:.4g}, {} points, {:.3f} px\n", image.name, x, y, z,
               image.points, image.error.value_or(0));
  }
  fmt::print("page                {}\n", page);
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
  for (const char* const flag : {"--max-frames", "--gps", "--no-refine"})
    refuse_if_given(command, flag, "with --model");
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
  if (command.count("--pairs") > 0) job.pairs = call.job.collection.pairs;
  if (command.count("--cameras") > 0) job.cameras = colmap.options.cameras;
  Work work;
  const LocalisedImages localised = localise(job, work.context());
  if (!localised.is_finished) work.end_if_interrupted("interrupted; the same call goes on from there");
  work.progress().clear();
  if (localised.images.empty()) return exit_failed;
  const std::string page = (job.folder / "report.html").string();
  if (call.json) {
    fmt::print("{}\n", json_of(localised));
  } else {
    print_text(localised, page);
  }
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
    require_effects(command, option_table<PanoramaOptions>(), job.panorama);
  } else {
    for (const std::string& flag : call.collection_flags) refuse_if_given(command, flag, "with --database");
  }
  take_one_range(command, std::array{job.photographs.string()}, job.recursive, job.collection.colmap.read);
  Work work;
  const MadeModel made = make_model(job, work.context());
  if (!made.is_finished) {
    work.end_if_interrupted(fmt::format("interrupted with {} images and {} pairs; the same call goes on from there",
                                        made.database.images, made.database.pairs));
  }
  work.progress().clear();
  const SfmResult& result = made.result;
  if (result.images.empty()) return exit_failed;
  const std::string page = (job.folder / "report.html").string();
  if (call.json) {
    fmt::print("{}\n", json_of(result));
  } else {
    print_text(result, page);
  }
  if (!result.models.empty()) return work.exit_code();
  complain(fmt::format("there is no model of {} images: {}; '{}' tells what each lacks", result.images.size(),
                       result.failure, page));
  return exit_failed;
}

}  // namespace

void add_sfm(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "sfm", description, footer);
  command
      .add_option("PHOTOS", call->places,
                  "The folder of the photographs, or a video. With --model: photographs and folders of them.")
      .required()
      .type_name("PLACE");
  command.add_option("-o,--output", call->job.folder, "The folder of the model, which is made.")
      .required()
      .type_name("MODEL");
  command
      .add_option("--database", call->job.database,
                  "Use this COLMAP database of the photographs, which is already made. Verified matches are added.")
      .type_name("FILE");
  command
      .add_option("--model", call->model,
                  "Find the poses of the photographs in the model of this folder, which stays as it is.")
      .type_name("DIR");
  add_number(command,
             {.name = "max_frames",
              .sentence = "Take at most so many frames of a video; 0: all that suit.",
              .symbol = "N",
              .low = 2,
              .high = 1000000,
              .special = 0},
             call->job.max_frames);
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  const OptionTable<SfmOptions>& table = option_table<SfmOptions>();
  add_options(command, table, call->job.options, {"refine"});
  command
      .add_flag(
          "--no-refine", [call] { call->job.options.refine = false; },
          "Give the mapper keypoints as they are in the database, see below.")
      .group(std::string(table.options.front().group));
  const std::size_t own = command.options().size();
  add_collection_options(command, call->job.collection, call->job.recursive);
  add_options(command, option_table<PanoramaOptions>(), call->job.panorama);
  for (std::size_t i = own; i < command.options().size(); ++i) {
    call->collection_flags.push_back(command.options()[i]->name());
  }
  command.callback([call, &command, &exit_code] { exit_code = run(*call, command); });
}

}  // namespace octavo::cli
