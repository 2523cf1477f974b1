// Configurations on images whose corners a person has labelled.

#include <span>

#include "jobs/evaluation.h"
#include "study/evaluate/corner_truth.h"

namespace octavo {

CornerResult evaluate_corners(const CornerJob& job, const JobContext& context) {
  std::vector<Pipeline> pipelines = jobs::pipelines_of(job, context);
  const auto show = [&](std::size_t done, std::size_t total, const std::filesystem::path& next) {
    report_item(context.progress, next.string(), done, total);
  };
  const CornerDataset dataset = find_labelled_images(job.root);
  std::vector<std::filesystem::path> images;
  for (const LabelledImage& image : dataset.images) images.push_back(job.root / image.image);
  jobs::require_other_page(job, images);
  const CornerComparison comparison =
      compare_corners(dataset, job.root, pipelines,
                      {.tolerance = job.tolerance, .read = job.read, .progress = show, .stop = context.stop});
  CornerResult result;
  result.totals.resize(pipelines.size());
  for (const ComparedCorners& image : comparison.images) {
    result.images.push_back({image.image, image.scores});
    for (std::size_t c = 0; c < pipelines.size(); ++c) result.totals[c] += image.scores[c];
  }

  const std::string root = job.root.string();
  const EvaluationCircumstances circumstances = jobs::circumstances_of(job);
  const CornerEvaluation evaluation{.version = circumstances.version,
                                    .date = circumstances.date,
                                    .root = job.root,
                                    .tolerance = job.tolerance,
                                    .read = job.read,
                                    .configurations = job.configurations,
                                    .comparison = comparison};
  const auto tables = [&] {
    std::vector<Table> all{corner_table(job.configurations, comparison)};
    if (job.per_image) all.push_back(corner_image_table(job.configurations, comparison));
    return all;
  };
  jobs::finish(result, job,
               {.json = [&] { return corner_json(evaluation); },
                .tables = tables,
                .page = [&] { return corner_page(evaluation); },
                .problems = comparison.problems,
                .places = std::span(&root, 1)},
               context);
  return result;
}

}  // namespace octavo
