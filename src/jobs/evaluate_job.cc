// Configurations on the images of a data set.

#include <iterator>
#include <span>

#include "jobs/evaluation.h"
#include "study/evaluate/budgets.h"
#include "study/evaluate/dataset.h"
#include "study/evaluate/match_examples.h"

namespace octavo {
namespace {

std::vector<EvaluatedGroup> with_means(std::vector<PairGroup> groups, const Comparison& comparison, std::size_t count) {
  std::vector<EvaluatedGroup> evaluated;
  for (PairGroup& group : groups) {
    EvaluatedGroup one{.name = std::move(group.name), .pairs = std::move(group.pairs), .means = {}};
    for (std::size_t c = 0; c < count; ++c) one.means.push_back(summarise(comparison, c, one.pairs));
    evaluated.push_back(std::move(one));
  }
  return evaluated;
}

}  // namespace

EvaluateResult evaluate_dataset(const EvaluateJob& job, const JobContext& context) {
  validate(job.robust);
  std::vector<Pipeline> pipelines = jobs::pipelines_of(job, context);
  const Dataset dataset = find_dataset(job.root);
  const std::vector<KnownScene> scenes = scenes_of(dataset, job.root, job.read);
  const Comparison comparison = jobs::compare_scenes(scenes, pipelines, job.robust, job.covisible_only, context);
  EvaluateResult result;
  for (const ComparedPair& pair : comparison.pairs) {
    const KnownScene& scene = scenes[pair.scene];
    result.pairs.push_back({scene.name, scene.first_name.path, scene.others[pair.other].name.path, pair.scores});
  }
  result.groups = with_means(groups_by_change(comparison, scenes), comparison, pipelines.size());
  result.sequences = with_means(groups_by_scene(comparison, scenes), comparison, pipelines.size());

  const std::string root = job.root.string();
  const Evaluation evaluation{.circumstances = jobs::circumstances_of(job, job.robust, job.covisible_only),
                              .root = root,
                              .scenes = scenes,
                              .configurations = job.configurations,
                              .comparison = comparison,
                              .problems = jobs::joined(dataset.problems, comparison.problems)};
  const auto tables = [&] {
    std::vector<Table> all = evaluation_tables(evaluation);
    if (job.per_sequence) std::ranges::move(sequence_tables(evaluation), std::back_inserter(all));
    return all;
  };
  const auto page = [&] {
    const auto show = [&](std::size_t done, std::size_t total, const ImageName& next) {
      report_item(context.progress, "image of " + next.path.string(), done, total);
    };
    const ExampleOptions options{.examples = job.examples, .covisible_only = job.covisible_only, .progress = show};
    return evaluation_page(evaluation, match_examples(comparison, scenes, pipelines, options));
  };
  jobs::finish(result, job,
               {.json = [&] { return evaluation_json(evaluation); },
                .tables = tables,
                .page = page,
                .problems = evaluation.problems,
                .warnings = comparison.warnings,
                .places = std::span(&root, 1),
                .are_uneven = evaluation::are_uneven(evaluation::mean_keypoints(comparison, pipelines.size()))},
               context);
  return result;
}

}  // namespace octavo
