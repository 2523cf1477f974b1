// Configurations on photographs that change.

#include "io/files/output_file.h"
#include "jobs/evaluation.h"
#include "octavo/io/collection.h"
#include "study/evaluate/budgets.h"
#include "study/evaluate/robustness.h"

namespace octavo {
namespace {

RobustnessCurve curve_of(const Distortion& kind, const Comparison& comparison, const DistortedScenes& made,
                         std::size_t configurations) {
  RobustnessCurve curve{.kind = std::string(kind.name),
                        .unit = std::string(kind.unit),
                        .strengths = {kind.strengths.begin(), kind.strengths.end()},
                        .means = {}};
  for (std::size_t c = 0; c < configurations; ++c) {
    std::vector<Summary>& means = curve.means.emplace_back();
    for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
      means.push_back(summarise(comparison, c, pairs_at(comparison, made, kind, i)));
    }
  }
  return curve;
}

}  // namespace

RobustnessResult evaluate_robustness(const RobustnessJob& job, const JobContext& context) {
  validate(job.robust);
  const RobustnessOptions options{
      .distortions = job.kinds, .noise_seed = job.noise_seed, .read = job.read, .images = job.made};
  const std::vector<const Distortion*> kinds = distortions_of(options);
  if (!job.made.empty()) require_writable_folder(job.made);
  std::vector<Pipeline> pipelines = jobs::pipelines_of(job, context);
  const ImageFiles photographs = find_images(job.photographs);
  jobs::require_other_page(job, photographs);
  report_item(context.progress, "photographs");
  const DistortedScenes made = distorted_scenes(photographs.images, options);
  const Comparison comparison = jobs::compare_scenes(made.scenes, pipelines, job.robust, job.covisible_only, context);
  RobustnessResult result;
  for (const ComparedPair& pair : comparison.pairs) {
    const KnownScene& scene = made.scenes[pair.scene];
    const SceneOrigin& origin = made.origins[pair.scene];
    result.pairs.push_back({{scene.name, scene.first_name.path, scene.others[pair.other].name.path, pair.scores},
                            origin.photograph,
                            std::string(origin.distortion->name),
                            origin.distortion->strengths[pair.other]});
  }
  for (const Distortion* const kind : kinds) {
    result.curves.push_back(curve_of(*kind, comparison, made, pipelines.size()));
  }

  const RobustnessEvaluation evaluation{
      .circumstances = jobs::circumstances_of(job, job.robust, job.covisible_only),
      .images = job.photographs,
      .noise_seed = job.noise_seed,
      .read = job.read,
      .kinds = kinds,
      .made = made,
      .configurations = job.configurations,
      .comparison = comparison,
      .problems = jobs::joined(photographs.problems, jobs::joined(made.problems, comparison.problems))};
  jobs::finish(result, job,
               {.json = [&] { return robustness_json(evaluation); },
                .tables = [&] { return robustness_tables(evaluation); },
                .page = [&] { return robustness_page(evaluation); },
                .problems = evaluation.problems,
                .warnings = comparison.warnings,
                .places = job.photographs,
                .are_uneven = evaluation::are_uneven(evaluation::mean_keypoints(comparison, pipelines.size()))},
               context);
  return result;
}

}  // namespace octavo
