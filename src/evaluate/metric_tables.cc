// Means over pairs as tables, in percent.

#include "evaluate/metric_tables.h"

#include <fmt/core.h>

#include <algorithm>

namespace octavo::evaluation {
namespace {

constexpr std::size_t shown_thresholds[] = {1, 3, 5, 10};  // [pixel] of homographies, as in the literature

double at_three(const Curve& curve) { return curve[correct_within - 1]; }

}  // namespace

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

std::vector<Table> tables_of(std::span<const NamedSummary> summaries) {
  const std::string none = "-";
  Table matching{.title = "Keypoints and matches, at 3 px",
                 .header = {"setting", "pairs", "keypoints", "repeatability", "one to one", "matches", "correct",
                            "precision", "score"},
                 .rows = {}};
  Table accuracies{.title = "Mean matching accuracy at 1 to 10 px", .header = {"setting"}, .rows = {}};
  Table homographies{
      .title = "Homographies: accuracy and AUC at 1, 3, 5 and 10 px", .header = {"setting", "pairs"}, .rows = {}};
  for (std::size_t i = 1; i <= threshold_count; ++i) accuracies.header.push_back(fmt::format("{} px", i));
  for (const char* name : {"acc", "AUC"}) {
    for (const std::size_t t : shown_thresholds) homographies.header.push_back(fmt::format("{}@{}", name, t));
  }
  for (const auto& [name, s] : summaries) {
    matching.rows.push_back({name, fmt::format("{}", s.pairs), fmt::format("{:.0f}", s.keypoints),
                             percent(at_three(s.repeatability)), percent(s.correspondence_share),
                             fmt::format("{:.1f}", s.matches), fmt::format("{:.1f}", at_three(s.correct)),
                             percent(at_three(s.precision)), percent(s.matching_score)});
    std::vector<std::string> row{name};
    for (const double share : s.matching_accuracy) row.push_back(percent(share));
    if (s.pairs == 0) {
      std::fill(matching.rows.back().begin() + 2, matching.rows.back().end(), none);
      std::fill(row.begin() + 1, row.end(), none);
    }
    accuracies.rows.push_back(row);
    row = {name, fmt::format("{}", s.homographies)};
    for (const Curve* curve : {&s.homography_accuracy, &s.homography_area}) {
      for (const std::size_t t : shown_thresholds) {
        row.push_back(s.homographies > 0 ? percent((*curve)[t - 1]) : none);
      }
    }
    homographies.rows.push_back(row);
  }
  std::vector<Table> tables{matching, accuracies};
  const bool any =
      std::any_of(summaries.begin(), summaries.end(), [](const auto& one) { return one.summary.homographies > 0; });
  if (any) tables.push_back(homographies);
  return tables;
}

std::vector<std::string> notes_of(std::span<const std::string> problems, std::span<const std::string> warnings) {
  std::vector<std::string> notes;
  for (const std::string& problem : problems) notes.push_back("Not evaluated: " + problem);
  for (const std::string& warning : warnings) notes.push_back("Warning: " + warning);
  return notes;
}

PageDetails options_of(const EvaluationCircumstances& circumstances, std::span<const Setting> settings) {
  std::string text = text_of(as_json(circumstances)) + "\n";
  for (const Setting& setting : settings) text += text_of(as_json(setting)) + "\n";
  return {.summary = "Version, date and options", .text = text};
}

}  // namespace octavo::evaluation
