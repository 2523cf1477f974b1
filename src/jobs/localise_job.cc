// New photographs go into a copy of the model's database, are matched with images of the model, and are registered.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/stopwatch.h"
#include "io/files/content_digest.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/collected_problems.h"
#include "jobs/model_copy.h"
#include "jobs/own_names.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/colmap/job_settings.h"
#include "multiview/sfm/match_graph.h"
#include "multiview/sfm/model_numbers.h"
#include "octavo/error.h"
#include "octavo/jobs/collection_jobs.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

fs::path database_of(const LocaliseJob& job) {
  fs::path database = job.database.empty() ? job.model / "database.db" : job.database;
  if (fs::is_regular_file(database)) return database;
  throw Error(ErrorCode::file_error, fmt::format("there is no database '{}' of the model", database.string()));
}

void check_localisation(const LocaliseJob& job) {
  validate(job.options);
  const std::vector<PairOptions> pairs = pair_options_of(job.pairs);
  const auto is_fit = [](const PairOptions& one) {
    return one.by == PairsBy::exhaustive || one.by == PairsBy::retrieval;
  };
  if (pairs.size() > 1 || !std::ranges::all_of(pairs, is_fit)) {
    throw Error(ErrorCode::invalid_option,
                "`pairs` of photographs and images of a model are all, retrieval:K or those of a file");
  }
  if (pairs.empty()) static_cast<void>(read_pair_list(job.pairs, {}));  // a file that is not there
  if (fs::exists(job.folder) && fs::exists(job.model) && fs::equivalent(job.folder, job.model)) {
    throw Error(ErrorCode::invalid_option, fmt::format("`output` is the model '{}', which stays as it is: give another "
                                                       "folder",
                                                       job.model.string()));
  }
  require_own_names(job.found.images);
  require_writable_folder(job.folder);
  check_job(job.folder);
  static_cast<void>(find_mapper(job.options));
}

// The largest model.
SfmModelResult model_of(const fs::path& folder) {
  const fs::path sparse = folder / "sparse";
  std::vector<SfmModelResult> models;
  if (fs::is_directory(sparse)) models = sfm::read_models(sparse);
  if (models.empty()) {
    throw Error(
        ErrorCode::file_error,
        fmt::format("there is no model in '{}' that has points: octavo sfm makes its `sparse/0`", folder.string()));
  }
  return std::move(models.front());
}

void refuse_names_of_model(const LocaliseJob& job, const ModelCopy& copy) {
  const sfm::MatchGraph graph = sfm::read_match_graph(copy.file());
  std::set<std::string> names;
  for (std::size_t i = 0; i < graph.images.size(); ++i) {
    if (graph.numbers[i] <= copy.last_image()) names.insert(graph.images[i].name);
  }
  for (const ImageFile& image : job.found.images) {
    if (!names.contains(image.name.generic_string())) continue;
    throw Error(ErrorCode::invalid_option, fmt::format("{} has the name of an image of the model: rename it, or leave "
                                                       "it out",
                                                       image.file.string()));
  }
}

// The options with which the database was made.
void take_options(ColmapJob& filling, const std::string& database) try {
  if (!colmap::features_rule_in(filling.settings).empty()) {
    throw Error(ErrorCode::file_error,
                fmt::format("the features in the database '{}' were given, so Octavo cannot make those of further "
                            "photographs; make a model with those of all of them",
                            database));
  }
  colmap::take_settings(filling, filling.settings);
  const std::string range = colmap::range_of_settings(filling.settings);
  if (range != range_text(filling.read)) {
    throw Error(ErrorCode::invalid_option, fmt::format("the `range` of values of the model's images is {}, but that of "
                                                       "this call is {}",
                                                       range, range_text(filling.read)));
  }
  Json stored = parse_json(filling.settings);
  stored.erase("mask");  // the photographs have their own
  if (!colmap::are_equal_settings(json_text(stored), colmap::settings_of(filling))) {
    throw Json::exception("other options");
  }
} catch (const Json::exception&) {
  throw Error(
      ErrorCode::file_error,
      fmt::format("the database '{}' was made with options that this version of Octavo does not have", database));
}

// The job that adds the photographs, which come before the images of the model. These are never read.
ColmapJob filling_of(const LocaliseJob& job, const SfmModel& model, const fs::path& database) {
  ColmapJob filling;
  filling.images = job.found.images;
  filling.device = job.device;
  filling.read = job.read;
  filling.settings = ColmapFeatures(database).settings();
  if (filling.settings.empty()) {
    throw Error(ErrorCode::file_error, fmt::format("Octavo did not make the database '{}', so features of photographs "
                                                   "would not be like those in it",
                                                   database_of(job).string()));
  }
  take_options(filling, database_of(job).string());
  filling.mask = job.mask;
  if (job.cameras) filling.options.cameras = *job.cameras;
  filling.options.feature_memory = job.feature_memory;
  filling.options.gpu_feature_memory = job.gpu_feature_memory;
  for (const auto& [id, image] : model.images) filling.images.push_back({image.name, image.name});
  return filling;
}

// Each photograph with the images of the model that look most alike, by the features in the database.
std::vector<ImagePair> most_alike(const ColmapJob& filling, const fs::path& database, std::size_t photographs,
                                  std::size_t neighbours, const JobContext& context) {
  VladEncoder encoder(general_vocabulary(), filling.device);
  ColmapFeatures features(database);
  std::vector<std::vector<std::int16_t>> vlads(filling.images.size());
  for (std::size_t i = 0; i < vlads.size() && !context.stop.stop_requested(); ++i) {
    const std::string name = filling.images[i].name.generic_string();
    report_item(context.progress, "likeness of " + name, i, vlads.size());
    if (const auto image = features.image_of(name)) vlads[i] = encoder.encode(features.features(*image).descriptors);
  }
  if (context.stop.stop_requested()) return {};
  const auto similar = most_similar_images(vlads, vlads.size(), filling.device);
  std::vector<ImagePair> pairs;
  for (std::size_t i = 0; i < photographs; ++i) {
    std::size_t left = neighbours;
    for (const SimilarImage& other : similar[i]) {
      if (other.image < photographs || left == 0) continue;
      pairs.emplace_back(i, other.image);
      --left;
    }
  }
  return pairs;
}

// The pairs of one of the first `photographs` images and an image of the model.
std::vector<ImagePair> pairs_of(const std::string& text, const ColmapJob& filling, const fs::path& database,
                                std::size_t photographs, const JobContext& context) {
  const std::vector<PairOptions> options = pair_options_of(text);
  if (are_by_likeness(options)) {
    return most_alike(filling, database, photographs, options.front().neighbours, context);
  }
  std::vector<ImagePair> pairs;
  if (options.empty()) {
    std::vector<std::string> names;
    for (const ImageFile& image : filling.images) names.push_back(image.name.generic_string());
    PairList list = read_pair_list(text, names);
    for (const std::string& problem : list.problems) report_failure(context, problem);
    std::ranges::copy_if(list.pairs, std::back_inserter(pairs), [&](const ImagePair& pair) {
      return (pair.first < photographs) != (pair.second < photographs);
    });
    return pairs;
  }
  for (std::size_t i = 0; i < photographs; ++i) {
    for (std::size_t j = photographs; j < filling.images.size(); ++j) pairs.emplace_back(i, j);
  }
  return pairs;
}

// Takes out the images that the database does not have, as they have failed.
void take_out_failed(std::vector<ImageFile>& images, const fs::path& database) {
  ColmapFeatures features(database);
  std::erase_if(images, [&](const ImageFile& image) { return !features.image_of(image.name.generic_string()); });
}

// Features of all photographs, then the pairs, which may need them. False: it was stopped.
bool fill_copy(const LocaliseJob& job, ColmapJob filling, const fs::path& database, const JobContext& context) {
  const std::size_t of_model = filling.images.size() - job.found.images.size();
  ColmapJob photographs = filling;  // masks are of these alone
  photographs.images = job.found.images;
  if (!fill_colmap_database(database, photographs, context).is_finished) return false;
  take_out_failed(filling.images, database);
  filling.pairs = pairs_of(job.pairs, filling, database, filling.images.size() - of_model, context);
  if (context.stop.stop_requested()) return false;
  return fill_colmap_database(database, filling, context).is_finished;
}

// Tells photographs that fit much worse than the rest of the model.
void warn_of_misfits(LocalisedImages& localised, const JobContext& context) {
  constexpr double much = 3, least = 1;  // times the mean error of the model, and [pixel]; guesses
  for (const std::size_t i : localised.images) {
    const SfmImageResult& image = localised.result.images[i];
    if (!image.model || !image.error) continue;
    const double usual = localised.result.models[*image.model].mean_error;
    if (*image.error < std::max(least, much * usual)) continue;
    localised.result.warnings.push_back(
        fmt::format("the pose of '{}' is doubtful: its reprojection error is {:.2f} pixels, and the mean of the model "
                    "{:.2f}",
                    image.name, *image.error, usual));
    report_warning(context, localised.result.warnings.back());
  }
}

}  // namespace
}  // namespace jobs

LocalisedImages localise(const LocaliseJob& job, const JobContext& context) {
  jobs::check_localisation(job);
  LocalisedImages localised;
  std::vector<std::string> problems, warnings;
  JobContext noting = shards::collecting(context, problems);
  noting.warn = [&](const std::string& sentence) {
    warnings.push_back(sentence);
    report_warning(context, sentence);
  };
  for (const std::string& problem : job.found.problems) report_failure(noting, problem);
  localised.is_finished = job.found.images.empty();
  if (localised.is_finished) return localised;
  const SfmModelResult model = jobs::model_of(job.model);
  const Stopwatch stopwatch;
  const std::filesystem::path database = jobs::database_of(job);
  const std::string digest = content_digest(database, context.stop);
  if (digest.empty()) return localised;
  jobs::ModelCopy copy(database, job.folder, digest);
  jobs::refuse_names_of_model(job, copy);
  const ColmapJob filling = jobs::filling_of(job, model.model, copy.file());
  copy.keep();
  if (!jobs::fill_copy(job, filling, copy.file(), noting)) return localised;
  const double seconds = stopwatch.milliseconds() / 1000;
  report_item(context.progress, "model");
  try {
    localised.result = register_images(model.folder, job.model, copy.file(), job.folder, job.options, noting);
  } catch (const Error&) {
    if (context.stop.stop_requested()) return localised;
    throw;
  }
  localised.is_finished = true;
  localised.result.database_seconds = seconds;
  localised.result.problems = std::move(problems);
  localised.result.warnings = std::move(warnings);
  std::map<std::string, std::size_t> index_of;
  for (std::size_t i = 0; i < localised.result.images.size(); ++i) index_of[localised.result.images[i].name] = i;
  for (const ImageFile& image : job.found.images) {
    const auto found = index_of.find(image.name.generic_string());
    if (found != index_of.end()) localised.images.push_back(found->second);  // others have failed
  }
  jobs::warn_of_misfits(localised, context);
  report_item(context.progress, "page");
  write_file(job.folder / "report.html", page_of(localised.result));
  return localised;
}

}  // namespace octavo
