#pragma once

// What the jobs of evaluation have in common.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/pages/report_page.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/evaluate_jobs.h"
#include "study/evaluate/comparison.h"
#include "study/evaluate/evaluation_page.h"

namespace octavo::jobs {

/// Checks the settings, and makes the pipeline of each configuration. Throws Error.
std::vector<Pipeline> pipelines_of(const EvaluationSettings& settings, const JobContext& context);

/// Throws Error(invalid_option) for a page that would replace one of the images.
void require_other_page(const EvaluationSettings& settings, std::span<const std::filesystem::path> images);
void require_other_page(const EvaluationSettings& settings, const ImageFiles& images);

/// Adds the warning of uneven numbers of keypoints, the mean of each pipeline, if they are.
void warn_of_budgets(std::span<const double> keypoints, std::span<const Pipeline> pipelines,
                     std::vector<std::string>& warnings);

/// compare(), which tells the context its progress, and warn_of_budgets.
Comparison compare_scenes(std::span<const KnownScene> scenes, std::span<Pipeline> pipelines,
                          const RobustOptions& robust, bool covisible_only, const JobContext& context);

/// The version, the date, and the options that hold for all configurations.
EvaluationCircumstances circumstances_of(const EvaluationSettings& settings, const RobustOptions& robust = {},
                                         bool covisible_only = false);

/// The sentences of both.
std::vector<std::string> joined(const std::vector<std::string>& first, const std::vector<std::string>& second);

/// What the end of a job takes.
struct Findings {
  std::function<std::string()> json;
  std::function<std::vector<Table>()> tables;
  std::function<ReportPage()> page;
  std::span<const std::string> problems, warnings{};
  std::span<const std::string> places;  ///< what was evaluated: files, folders and patterns
  bool are_uneven = false;  ///< the configurations find different numbers of keypoints: the page marks no best one
};

/// Tells problems and warnings, makes the texts, and writes the page, unless the job was stopped. A page that cannot be
/// written is a failure: the numbers are not lost.
void finish(EvaluationReport& report, const EvaluationSettings& settings, const Findings& findings,
            const JobContext& context);

}  // namespace octavo::jobs
