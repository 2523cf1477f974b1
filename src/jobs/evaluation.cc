// The parts that all kinds of evaluation have in common.

#include "jobs/evaluation.h"

#include <fmt/chrono.h>

#include <array>
#include <ctime>

#include "io/files/output_file.h"
#include "octavo/error.h"
#include "study/evaluate/budgets.h"

namespace octavo::jobs {

std::vector<Pipeline> pipelines_of(const EvaluationSettings& settings, const JobContext& context) {
  if (!settings.page.empty()) require_writable_page(settings.page);
  validate(settings.configurations);
  DeviceOptions device = settings.device;
  device.progress = context.progress;
  std::vector<Pipeline> pipelines;
  for (const Configuration& configuration : settings.configurations) {
    report_item(context.progress, configuration.name);
    pipelines.push_back(pipeline_of(configuration, device));
  }
  return pipelines;
}

void require_other_page(const EvaluationSettings& settings, std::span<const std::filesystem::path> images) {
  require_not_read(std::array{settings.page}, images);
}

void require_other_page(const EvaluationSettings& settings, const ImageFiles& images) {
  std::vector<std::filesystem::path> files;
  for (const ImageFile& image : images.images) files.push_back(image.file);
  require_other_page(settings, files);
}

void warn_of_budgets(std::span<const double> keypoints, std::span<const Pipeline> pipelines,
                     std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  for (const Pipeline& pipeline : pipelines) names.push_back(pipeline.name());
  std::string warning = evaluation::warning_of_budgets(keypoints, names);
  if (!warning.empty()) warnings.insert(warnings.begin(), std::move(warning));
}

Comparison compare_scenes(std::span<const KnownScene> scenes, std::span<Pipeline> pipelines,
                          const RobustOptions& robust, bool covisible_only, const JobContext& context) {
  const auto show = [&](std::size_t done, std::size_t total, const ImageName& next) {
    report_item(context.progress, next.path.string(), done, total);
  };
  Comparison comparison = compare(
      scenes, pipelines, {.robust = robust, .covisible_only = covisible_only, .progress = show, .stop = context.stop});
  warn_of_budgets(evaluation::mean_keypoints(comparison, pipelines.size()), pipelines, comparison.warnings);
  return comparison;
}

EvaluationCircumstances circumstances_of(const EvaluationSettings& settings, const RobustOptions& robust,
                                         bool covisible_only) {
  return {.version = OCTAVO_VERSION,
          .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
          .exif_rotation = settings.read.apply_exif_rotation,
          .covisible_only = covisible_only,
          .robust = robust};
}

std::vector<std::string> joined(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::vector<std::string> all = first;
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

namespace {

void mark_none(ReportPage& page) {
  for (PageSection& section : page.sections) {
    for (Table& table : section.tables) table.best.clear();
    for (PageDetails& details : section.details) {
      for (Table& table : details.tables) table.best.clear();
    }
  }
}

}  // namespace

void finish(EvaluationReport& report, const EvaluationSettings& settings, const Findings& findings,
            const JobContext& context) {
  for (const std::string& problem : findings.problems) report_failure(context, problem);
  for (const std::string& warning : findings.warnings) report_warning(context, warning);
  report.json = findings.json();
  for (const Table& table : findings.tables()) {
    report.tables += fmt::format("{}{}{}{}", report.tables.empty() ? "" : "\n", table.title,
                                 table.title.empty() ? "" : "\n", text_of(table));
  }
  report.is_finished = !context.stop.stop_requested();
  if (settings.page.empty() || !report.is_finished) return;
  report_item(context.progress, settings.page.string());  // the images of a page may be large
  std::vector<std::string> places(findings.places.begin(), findings.places.end());
  for (const Configuration& one : settings.configurations) {
    if (!one.features.empty()) places.push_back(one.features.string());
  }
  try {
    ReportPage page = findings.page();
    if (findings.are_uneven) mark_none(page);
    write_file(settings.page, html_of(page, places));
    report.has_page = true;
  } catch (const Error& error) {
    report_failure(context, error.what());
  }
}

}  // namespace octavo::jobs
