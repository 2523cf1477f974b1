// The mapper works in `sparse.partial`, which takes the name `sparse` when it is done. So a folder `sparse` is always
// the whole result of one run.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "io/files/whole_folder.h"
#include "multiview/sfm/child_program.h"
#include "multiview/sfm/doubts.h"
#include "multiview/sfm/georeference.h"
#include "multiview/sfm/mapper.h"
#include "multiview/sfm/match_graph.h"
#include "multiview/sfm/model_numbers.h"
#include "multiview/sfm/numbered_copy.h"
#include "multiview/sfm/refine_tracks.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace sfm {
namespace {

namespace fs = std::filesystem;

constexpr auto models_name = "sparse", aside_name = "sparse.before", log_name = "mapper.log";

// A program of the mapper, its job, and what it tells.
class Run {
 public:
  Run(const SfmMapper& mapper, fs::path log, std::stop_token stop)
      : mapper_(mapper), log_(std::move(log)), stop_(std::move(stop)) {}

  [[nodiscard]] const SfmMapper& mapper() const { return mapper_; }

  void verify(const std::vector<std::string>& words) { require_success(ended(words, {})); }

  /// Makes models in the folder `output`. Returns why there is none; empty: there is one. A mapper that finds no model
  /// ends as one that fails in another way: with an exit code, and nothing in the folder.
  std::string map(const std::vector<std::string>& words, const fs::path& output, const LineSink& sink) {
    const ProgramEnd end = ended(words, sink);
    std::error_code unknown;
    const bool was_killed = end.exit_code >= 128;
    if (was_killed || !fs::is_empty(output, unknown)) {
      require_success(end);
      return {};
    }
    if (!end.is_success()) return failure_of(end);
    return failure_without_model();
  }

  /// How a mapper ended that told no failure.
  [[nodiscard]] std::string failure_without_model() const {
    return fmt::format("the mapper {} made none with points; its log is '{}'", name_of(mapper_.kind), log_.string());
  }

 private:
  [[nodiscard]] ProgramEnd ended(const std::vector<std::string>& words, const LineSink& sink) const {
    ProgramEnd end = run_program(words, log_, sink, stop_);
    if (end.stopped) throw Error(ErrorCode::file_error, "the mapper was ended by a request");
    return end;
  }

  [[nodiscard]] std::string failure_of(const ProgramEnd& end) const {
    return failure_of_program(fmt::format("the mapper {}", name_of(mapper_.kind)), end, log_);
  }

  void require_success(const ProgramEnd& end) const {
    if (!end.is_success()) throw Error(ErrorCode::file_error, failure_of(end));
  }

  const SfmMapper& mapper_;
  fs::path log_;
  std::stop_token stop_;
};

// Line by line the names of the pairs.
template <class NameOf>
std::string list_of(const std::vector<SfmPair>& pairs, const NameOf& name_of) {
  std::string list;
  for (const SfmPair& pair : pairs) list += fmt::format("{} {}\n", name_of(pair.a), name_of(pair.b));
  return list;
}

bool are_listable(const MatchGraph& graph) {
  return std::ranges::all_of(graph.unverified, [&](const SfmPair& pair) {
    return is_listable(graph.images[pair.a].name) && is_listable(graph.images[pair.b].name);
  });
}

// Has the pairs of the graph verified that are not, with files in the folder `work`.
void verify(const MatchGraph& graph, MapperJob job, const fs::path& work, Run& run) {
  job.pairs = work / "pairs.txt";
  if (are_listable(graph)) {
    write_file(job.pairs, list_of(graph.unverified, [&](std::size_t i) { return graph.images[i].name; }));
    return run.verify(verify_command(run.mapper(), job));
  }
  const fs::path database = std::exchange(job.database, work / "numbered.db");
  write_numbered_copy(database, job.database);
  write_file(job.pairs, list_of(graph.unverified, [&](std::size_t i) { return graph.numbers[i]; }));
  try {
    run.verify(verify_command(run.mapper(), job));
  } catch (const Error&) {
    take_geometries(database, job.database);  // a later run need not find them again
    throw;
  }
  take_geometries(database, job.database);
}

// Moves the models by the places of their images.
void georeference_all(std::vector<SfmModelResult>& models, const GpsPlaces& places, const JobContext& context) {
  const GpsPlace origin = middle_of(places);
  for (SfmModelResult& model : models) {
    georeference(model, places, origin);
    for (const std::string& warning : warnings_of(model)) report_warning(context, warning);
  }
}

// A folder `sparse` of an earlier run has its log beside it.
void require_own(const fs::path& folder) {
  const fs::path sparse = folder / models_name, log = folder / log_name;
  if (!fs::exists(sparse) || fs::exists(log)) return;
  throw Error(ErrorCode::file_error,
              fmt::format("'{}' is there, and octavo sfm did not make it: give another folder", sparse.string()));
}

// Verifies what is not verified.
MatchGraph verified_graph(const SfmResult& result, const MapperJob& job, Run& run, const ProgressSink& progress) {
  MatchGraph graph = read_match_graph(job.database);
  const WholeFolder work(result.folder / "verify");  // never finished; that of a run that was killed goes too
  if (graph.unverified.empty()) return graph;
  report(progress, fmt::format("geometry of {} pairs", graph.unverified.size()));
  verify(graph, job, work.partial(), run);
  return read_match_graph(job.database);
}

// Makes the models in the folder `partial` and reads them, or tells why there is none.
void map(SfmResult& result, MapperJob job, const fs::path& partial, Run& run, const MatchGraph& graph,
         const ProgressSink& progress) {
  job.output = partial;
  if (!job.input.empty()) make_folder(job.output = partial / "0");  // one that gets further images is the only one
  const std::size_t images = graph.images.size();
  report(progress, "images registered", 0, images);
  result.failure = run.map(map_command(result.mapper, job), job.output, [&](std::string_view line) {
    const std::size_t registered = registered_by(line);
    if (registered > 0) report(progress, "images registered", std::min(registered, images), images);
  });
  if (result.failure.empty()) result.models = read_models(partial);
  if (!result.models.empty()) return;
  if (result.failure.empty()) result.failure = run.failure_without_model();
  const std::string reason = lack_of_depth(graph.pairs);
  if (!reason.empty()) result.failure = fmt::format("{} ({})", reason, result.failure);
}

// Fills in what the models and pairs say of the images, and tells what is doubtful.
void tell(SfmResult& result, MatchGraph graph, const JobContext& context) {
  result.images = std::move(graph.images);
  result.pairs = std::move(graph.pairs);
  measure_models(result.models, result.images);
  count_pairs(result.images, result.pairs);
  explain_failures(result.images, result.pairs);
  for (const SfmModelResult& model : result.models) {
    for (const std::string& doubt : doubts_of(model, result.images, result.pairs)) report_warning(context, doubt);
  }
}

// Fills the result, of which the folders and the mapper are known. `database` has the name that errors tell.
void run_mapper(SfmResult& result, const fs::path& database, const fs::path& input, const SfmOptions& options,
                const JobContext& context) {
  static_cast<void>(read_match_graph(database));  // a wrong one is refused before anything is written
  const GpsPlaces places = options.gps ? read_gps_places(database) : GpsPlaces();
  const fs::path here = result.folder, sparse = here / models_name, log = here / log_name;
  require_own(here);
  make_folder(here);
  write_file(log, std::string_view());
  const WholeFolder models(sparse);
  Run run(result.mapper, log, context.stop);
  MapperJob job{.photographs = result.photographs,
                .database = result.database,
                .pairs = {},
                .output = {},
                .input = input,
                .threads = options.mapper_threads,
                .seed = options.mapper_seed};

  const Stopwatch verifying;
  MatchGraph graph = verified_graph(result, job, run, context.progress);
  result.verify_seconds = verifying.milliseconds() / 1000;

  const WholeFolder refined(here / "refine");  // never finished; that of a run that was killed goes too
  if (options.refine && input.empty()) {
    const Stopwatch refining;
    job.database = refined.partial() / "refined.db";
    write_refined_copy(result.database, result.photographs, job.database, context);
    result.refine_seconds = refining.milliseconds() / 1000;
  }

  const Stopwatch mapping;
  map(result, job, models.partial(), run, graph, context.progress);
  if (result.failure.empty()) {
    if (options.gps) georeference_all(result.models, places, context);
    models.finish();
    for (SfmModelResult& model : result.models) model.folder = sparse / model.folder.filename();
  } else if (fs::exists(sparse)) {
    throw Error(ErrorCode::file_error, result.failure + "; the models of the run before stay");
  }
  result.map_seconds = mapping.milliseconds() / 1000;
  tell(result, std::move(graph), context);
}

SfmResult begun_result(const fs::path& photographs, const fs::path& database, const fs::path& folder,
                       const SfmOptions& options) {
  validate(options);
  return {.photographs = fs::absolute(photographs),
          .database = fs::absolute(database),
          .folder = fs::absolute(folder),
          .mapper = find_mapper(options),
          .images = {},
          .pairs = {},
          .models = {}};
}

}  // namespace
}  // namespace sfm

std::string_view word_of(SfmFailure failure) {
  constexpr std::array<std::string_view, 7> words{"none",          "no_keypoints", "no_matches",    "few_inliers",
                                                  "not_connected", "no_depth",     "not_registered"};
  return words.at(static_cast<std::size_t>(failure));
}

std::size_t SfmResult::registered() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(images, [](const SfmImageResult& image) { return image.model.has_value(); }));
}

void check_job(const std::filesystem::path& folder) { sfm::require_own(folder); }

SfmResult reconstruct(const std::filesystem::path& photographs, const std::filesystem::path& database,
                      const std::filesystem::path& folder, const SfmOptions& options, const JobContext& context) {
  SfmResult result = sfm::begun_result(photographs, database, folder, options);
  sfm::run_mapper(result, database, {}, options, context);
  return result;
}

SfmResult register_images(const std::filesystem::path& model, const std::filesystem::path& photographs,
                          const std::filesystem::path& database, const std::filesystem::path& folder,
                          const SfmOptions& options, const JobContext& context) {
  SfmResult result = sfm::begun_result(photographs, database, folder, options);
  sfm::run_mapper(result, database, std::filesystem::absolute(model), options, context);
  return result;
}

}  // namespace octavo
