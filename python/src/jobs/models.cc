// Models of cameras and points.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gil.h"
#include "jobs/bindings.h"
#include "jobs/collection.h"
#include "jobs/job_options.h"
#include "jobs/other_features.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "left_work.h"
#include "octavo/error.h"
#include "octavo/jobs/collection_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

// A run of a mapper with what has failed on the way.
struct Models : SfmResult {};

// A database that is made already leaves nothing for the options that make one.
void require_effects_of_database(const ModelJob& job, const std::optional<fs::path>& database, const Keywords& keywords,
                                 bool is_any_given) {
  if (!database) return;
  if (is_of_video(job)) throw Error(ErrorCode::invalid_argument, "database has no effect with a video");
  const auto is_given = [&](const auto& option) { return keywords.was_given(option.name); };
  const bool is_any_set = is_any_given || is_detector_given(keywords, job.collection.colmap.detector) ||
                          std::ranges::any_of(option_table<ColmapOptions>().options, is_given) ||
                          std::ranges::any_of(option_table<MatchOptions>().options, is_given) ||
                          std::ranges::any_of(option_table<RobustOptions>().options, is_given);
  if (is_any_set) {
    throw Error(ErrorCode::invalid_argument,
                "with database nothing is extracted and matched: pairs, mask, camera_params, one_range, features and "
                "the options of detectors, matching and robust models have no effect");
  }
}

Models reconstruct_photographs(const fs::path& photographs, const fs::path& output,
                               const std::optional<fs::path>& database, const std::optional<std::string>& pairs,
                               bool recursive, bool one_range, std::size_t max_frames,
                               const std::optional<fs::path>& mask, const std::vector<double>& camera_params,
                               const nb::object& features, const nb::dict& given, nb::object progress) {
  const OtherFeatures others(features);
  ModelJob job{.photographs = photographs, .max_frames = max_frames, .folder = output, .recursive = recursive};
  CollectionJob& collection = job.collection;
  if (is_of_video(job)) {
    collection.pairs = pairs_of_video;
    collection.colmap.options.cameras = ColmapOptions::Cameras::one;
  }
  if (max_frames == 1) {
    throw Error(ErrorCode::invalid_option, InvalidOption{"max_frames", "1", "must be 0 or at least 2"});
  }
  if (pairs) collection.pairs = *pairs;
  Keywords keywords("sfm", given);
  keywords.set(job.options);
  set_collection(collection, keywords);
  keywords.set(job.panorama);
  keywords.finish();
  require_effects_of_database(job, database, keywords,
                              !camera_params.empty() || mask || pairs || one_range || others.are_given());
  others.require_effects(keywords, collection.colmap.detector, mask || one_range);
  if (is_of_video(job) && others.are_given()) {
    throw Error(ErrorCode::invalid_argument,
                "features are of photographs, not of a video: octavo.video.export_frames makes photographs of one");
  }
  if (database) job.database = *database;
  if (mask) collection.colmap.mask = *mask;
  collection.colmap.camera_params = camera_params;
  collection.colmap.features = others.by_name();
  collection.colmap.features_rule = others.rule();
  Work work(std::move(progress));
  Models models{work.run([&](const JobContext& context) {
    if (one_range) take_one_range(std::array{photographs.string()}, recursive, collection.colmap.read);
    return make_model(job, context).result;
  })};
  models.problems = std::move(work.problems());
  models.warnings = std::move(work.warnings());
  return models;
}

Told<LocalisedImages> localise_in(const std::vector<fs::path>& places, const fs::path& model, const fs::path& output,
                                  const std::optional<fs::path>& database, const std::string& pairs, bool recursive,
                                  bool one_range, const std::optional<fs::path>& mask, const nb::dict& given,
                                  nb::object progress) {
  LocaliseJob job{.model = model, .found = {}, .folder = output, .pairs = pairs};
  Keywords keywords("localise", given);
  if (database) job.database = *database;
  if (mask) job.mask = *mask;
  ColmapOptions of_database;
  keywords.set(of_database, {"camera_model", "verify", "guided"});
  if (keywords.was_given("cameras")) job.cameras = of_database.cameras;
  job.feature_memory = of_database.feature_memory;
  job.gpu_feature_memory = of_database.gpu_feature_memory;
  keywords.set(job.options, {"gps"});
  keywords.set(job.read, {"apply_exif_rotation"});
  print_warnings(job.read);
  keywords.set(job.device);
  keywords.finish();
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    if (one_range) take_one_range(names_of(places), recursive, job.read);
    job.found = find_images(names_of(places), recursive);
    return localise(job, context);
  });
}

Told<ExportSummary> export_to(const fs::path& model, const fs::path& output, const std::vector<std::string>& forms,
                              const std::optional<fs::path>& photographs, const std::string& mapper,
                              nb::object progress) {
  ExportJob job{.model = model, .output = output, .mapper = mapper};
  for (const std::string& form : forms) job.to.push_back(model_form_of(form));
  if (photographs) job.photos = *photographs;
  return Work(std::move(progress)).tell([&](const JobContext& context) { return export_model(job, context); });
}

// N numbers of each image of a model.
template <class Numbers>
auto of_images(std::size_t k, Numbers numbers) {
  return [=](const SfmModel& model) {
    return table_of(model.images, k, [&](const auto& entry) { return numbers(entry.second); });
  };
}

template <class Numbers>
auto of_points(std::size_t k, Numbers numbers) {
  return [=](const SfmModel& model) { return table_of(model.points, k, numbers); };
}

nb::object column(nb::object table) { return table[nb::make_tuple(nb::slice(nb::none(), nb::none(), nb::none()), 0)]; }

void bind_model(nb::module_& m) {
  Record<SfmCamera>(m, "SfmCamera", "How directions become pixels, by a camera model of COLMAP.")
      .with("model", &SfmCamera::model, "SIMPLE_RADIAL, for example.")
      .with("width", &SfmCamera::width, "[pixel]")
      .with("height", &SfmCamera::height, "[pixel]")
      .with("parameters", &SfmCamera::parameters, "list[float]: those of the model, in COLMAP's order.");
  Record<SfmImage>(m, "SfmImage", "An image of a model: p becomes R p + t in its camera, x right, y down, z ahead.")
      .with("name", &SfmImage::name, "As in the database.")
      .with("camera", &SfmImage::camera, "The id of its camera.")
      .with(
          "rotation", [](const SfmImage& i) { return vector_of(i.camera_from_world); },
          "4 in float64: R, a quaternion w, x, y, z.")
      .with(
          "translation", [](const SfmImage& i) { return vector_of(i.translation); }, "3 in float64: t.")
      .with(
          "centre", [](const SfmImage& i) { return vector_of(camera_centre(i)); }, "3 in float64: where the camera is.")
      .with(
          "xy",
          [](const SfmImage& i) {
            return table_of(i.observations, 2, [](const SfmObservation& o) { return std::array{o.x, o.y}; });
          },
          "N x 2 in float64: its keypoints [pixel]; (0, 0) is the corner of the image.")
      .with(
          "point_ids",
          [](const SfmImage& i) {
            const auto id_of = [](const SfmObservation& o) {
              return std::array{o.point == SfmObservation::no_point ? -1 : static_cast<std::int64_t>(o.point)};
            };
            return column(nb::cast(table_of(i.observations, 1, id_of)));
          },
          "N in int64: the ids of the points that these show; -1: none.");
  Record<SfmModel>(m, "SfmModel", "Cameras, images with their poses, and points.")
      .with("cameras", &SfmModel::cameras, "dict[int, SfmCamera]: by their ids.")
      .with("images", &SfmModel::images, "dict[int, SfmImage]: by their ids.")
      .with("centres", of_images(3, [](const SfmImage& i) { return camera_centre(i); }),
            "N x 3 in float64: where the images' cameras are, in the order of `images`.")
      .with(
          "point_ids",
          [](const SfmModel& model) {
            const auto id_of = [](const auto& p) { return std::array{static_cast<std::int64_t>(p.first)}; };
            return column(nb::cast(table_of(model.points, 1, id_of)));
          },
          "M in int64: the ids of the points.")
      .with("points", of_points(3, [](const auto& p) { return p.second.place; }), "M x 3 in float64.")
      .with("colours", of_points(3, [](const auto& p) { return p.second.colour; }), "M x 3 in uint8: red, green, blue.")
      .with(
          "errors",
          [](const SfmModel& model) {
            return column(
                nb::cast(table_of(model.points, 1, [](const auto& p) { return std::array{p.second.error}; })));
          },
          "M in float64: the mean reprojection errors [pixel]; -1: unknown.")
      .with(
          "track_lengths",
          [](const SfmModel& model) {
            const auto length_of = [](const auto& p) { return std::array{static_cast<std::int64_t>(p.second.track)}; };
            return column(nb::cast(table_of(model.points, 1, length_of)));
          },
          "M in int64: how many keypoints show each point.");
  m.def(
      "read_model", [](const fs::path& folder) { return run_or_leave([folder] { return read_sfm_model(folder); }); },
      nb::arg("folder"));
}

void bind_run(nb::module_& m) {
  Record<SfmImageResult>(m, "SfmImageResult", "What became of an image.")
      .with("name", &SfmImageResult::name, "As in the database.")
      .with("keypoints", &SfmImageResult::keypoints, "Their number.")
      .with("matched", &SfmImageResult::matched, "Pairs with matches.")
      .with("verified", &SfmImageResult::verified, "Pairs with 15 verified matches or more.")
      .with("best_inliers", &SfmImageResult::best_inliers, "Verified matches of its best pair.")
      .with("model", &SfmImageResult::model, "The index of the first model that has it; None: no model.")
      .with("points", &SfmImageResult::points, "Points of that model that it shows.")
      .with("error", &SfmImageResult::error, "[pixel] Their mean reprojection error; None without points.")
      .with(
          "reason", [](const SfmImageResult& image) { return sentence_of(image); },
          "Why it is in no model, a sentence; empty if it is in one.");
  Record<SfmModelResult>(m, "SfmModelResult", "A model, and its numbers.")
      .with("folder", &SfmModelResult::folder, "Path of COLMAP's files.")
      .with("model", &SfmModelResult::model, "SfmModel.")
      .with("observations", &SfmModelResult::observations, "Of points.")
      .with("mean_track", &SfmModelResult::mean_track, "Observations a point.")
      .with("mean_error", &SfmModelResult::mean_error, "[pixel] Mean reprojection error over all observations.");
  Record<Models>(m, "Models", "Models of structure from motion.")
      .with("models", &SfmResult::models, "list[SfmModelResult]: the one with most images first.")
      .with("images", &SfmResult::images, "list[SfmImageResult]: by their names.")
      .with("registered", &SfmResult::registered, "How many images are in a model.")
      .with("failure", &SfmResult::failure, "How the mapper ended without a model; empty if it made one.")
      .with("folder", &SfmResult::folder, "Path: has the models and report.html.")
      .with("database", &SfmResult::database, "Path.")
      .with(
          "mapper", [](const Models& r) { return r.mapper.program; }, "The path of the mapper.")
      .with(
          "problems", [](const Models& r) { return texts_of(r.problems); }, "list[str]: images and pairs that failed.")
      .with(
          "warnings", [](const Models& r) { return texts_of(r.warnings); }, "list[str]: what is doubtful.");
}

}  // namespace

void bind_models(nb::module_& m) {
  bind_model(m);
  bind_run(m);
  Record<Told<LocalisedImages>> localised(m, "Localised", "New photographs in a model.");
  localised
      .with(
          "images",
          [](const LocalisedImages& l) {
            std::vector<SfmImageResult> images;
            for (const std::size_t i : l.images) images.push_back(l.result.images[i]);
            return images;
          },
          "list[SfmImageResult]: the photographs.")
      .with(
          "poses",
          [](const LocalisedImages& l) {
            std::map<std::string, SfmImage> poses;
            for (const std::size_t i : l.images) {
              if (const SfmImage* const pose = l.pose_of(i)) poses.emplace(l.result.images[i].name, *pose);
            }
            return poses;
          },
          "dict[str, SfmImage]: those that are registered, by their names.")
      .with("registered", &LocalisedImages::registered, "Their number.");
  add_told(localised);
  Record<Told<ExportSummary>> exported(m, "Exported", "A model in the files of other programs.");
  exported.with("images", &ExportSummary::images, "Their number.")
      .with("points", &ExportSummary::points, "Their number.")
      .with(
          "files",
          [](const ExportSummary& s) {
            std::map<std::string, std::vector<fs::path>> files;
            for (const ModelFiles& one : s.made) files.emplace(word_of(one.form), one.files);
            return files;
          },
          "dict[str, list[Path]]: the files or folders of each form.");
  add_told(exported);
  m.def("sfm", &reconstruct_photographs, nb::arg("photographs"), nb::arg("output"), nb::arg("database").none(),
        nb::arg("pairs").none(), nb::arg("recursive"), nb::arg("one_range"), nb::arg("max_frames"),
        nb::arg("mask").none(), nb::arg("camera_params"), nb::arg("features").none(), nb::arg("options"),
        nb::arg("progress").none());
  m.def("localise", &localise_in, nb::arg("images"), nb::arg("model"), nb::arg("output"), nb::arg("database").none(),
        nb::arg("pairs"), nb::arg("recursive"), nb::arg("one_range"), nb::arg("mask").none(), nb::arg("options"),
        nb::arg("progress").none());
  m.def("export_model", &export_to, nb::arg("model"), nb::arg("output"), nb::arg("to"), nb::arg("photographs").none(),
        nb::arg("mapper"), nb::arg("progress").none());
}

}  // namespace octavo::python
