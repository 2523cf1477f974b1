// Configurations on photographs and crops of them.

#include "jobs/evaluation.h"
#include "octavo/io/collection.h"
#include "study/evaluate/budgets.h"
#include "study/evaluate/crop_examples.h"
#include "study/evaluate/crops.h"

namespace octavo {
namespace {

CropOptions crop_options_of(const CropJob& job, const JobContext& context) {
  CropOptions options{.crop_sizes = job.crop_sizes,
                      .noise_seed = job.noise_seed,
                      .size = job.size,
                      .read = job.read,
                      .progress = {},
                      .stop = context.stop};
  if (!job.changes.empty()) options.changes.clear();
  for (const std::string& word : job.changes) options.changes.push_back(crop_change(word));
  options.progress = [&context](std::size_t done, std::size_t total, const std::string& next) {
    report_item(context.progress, next, done, total);
  };
  validate(options);
  return options;
}

}  // namespace

CropResult evaluate_crops(const CropJob& job, const JobContext& context) {
  const CropOptions options = crop_options_of(job, context);
  std::vector<Pipeline> pipelines = jobs::pipelines_of(job, context);
  const ImageFiles photographs = find_images(job.photographs);
  jobs::require_other_page(job, photographs);
  CropComparison comparison = compare_crops(photographs.images, pipelines, options);
  std::vector<double> keypoints;
  for (std::size_t c = 0; c < pipelines.size() && !comparison.cases.empty(); ++c) {
    keypoints.push_back(static_cast<double>(crop_totals(comparison, c, 0).keypoints_photograph));
  }
  jobs::warn_of_budgets(keypoints, pipelines, comparison.warnings);
  CropResult result;
  result.cases = comparison.cases;
  for (const CroppedPair& pair : comparison.pairs) {
    result.pairs.push_back({photographs.images[pair.photograph].file, pair.photograph_size, pair.which_case, pair.left,
                            pair.top, pair.scores});
  }
  for (std::size_t c = 0; c < pipelines.size(); ++c) {
    std::vector<CropTotals>& totals = result.totals.emplace_back();
    for (std::size_t i = 0; i < comparison.cases.size(); ++i) totals.push_back(crop_totals(comparison, c, i));
  }

  const EvaluationCircumstances circumstances = jobs::circumstances_of(job);
  const CropEvaluation evaluation{.version = circumstances.version,
                                  .date = circumstances.date,
                                  .device = pipelines.front().device(),
                                  .images = job.photographs,
                                  .photographs = photographs.images,
                                  .options = options,
                                  .configurations = job.configurations,
                                  .comparison = comparison,
                                  .problems = jobs::joined(photographs.problems, comparison.problems)};
  jobs::finish(result, job,
               {.json = [&] { return crop_json(evaluation); },
                .tables = [&] { return crop_tables(evaluation); },
                .page =
                    [&] {
                      return crop_page(evaluation,
                                       crop_examples(comparison, photographs.images, pipelines, options, job.examples));
                    },
                .problems = evaluation.problems,
                .warnings = comparison.warnings,
                .places = job.photographs,
                .are_uneven = evaluation::are_uneven(keypoints)},
               context);
  return result;
}

}  // namespace octavo
