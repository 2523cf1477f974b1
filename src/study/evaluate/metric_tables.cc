// Means over pairs as tables, in percent.

#include "study/evaluate/metric_tables.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace octavo::evaluation {
namespace {

constexpr std::size_t shown_thresholds[] = {1, 3, 5, 10};  // [pixel] of homographies, as in the literature

constexpr const char* none = "-";

// Keypoints without a scale, which other programs may write, have no regions.
std::vector<std::string> region_row(const std::string& name, const Summary& s) {
  std::vector<std::string> row{name, fmt::format("{}", s.homographies),
                               s.homographies > 0 ? fmt::format("{:.0f}", s.regions) : none};
  for (const double share : s.region_repeatability) row.push_back(s.regions > 0 ? percent(share) : none);
  row.push_back(s.regions > 0 ? fmt::format("{:.1f}", s.corresponding_regions[usual_overlap]) : none);
  return row;
}

// More keypoints or matches are not better by themselves.
Table matching_table(std::span<const NamedSummary> summaries) {
  Table table{.title = "Keypoints and matches, at 3 px",
              .header = {"configuration", "pairs", "keypoints", "repeatability", "one to one", "matches", "correct",
                         "precision", "score"},
              .rows = {}};
  for (const auto& [name, s] : summaries) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {name,
           fmt::format("{}", s.pairs),
           fmt::format("{:.0f}", s.keypoints),
           percent(s.repeatability[at_correct]),
           percent(s.correspondence_share),
           fmt::format("{:.1f}", s.matches),
           fmt::format("{:.1f}", s.correct[at_correct]),
           percent(s.precision[at_correct]),
           percent(s.matching_score)};
    if (s.pairs == 0) std::fill(row.begin() + 2, row.end(), std::string(none));
  }
  for (const std::size_t column : {3, 4, 6, 7, 8}) mark_best_of_column(table, column, Better::higher);
  return table;
}

Table accuracy_table(std::span<const NamedSummary> summaries) {
  Table table{.title = "Mean matching accuracy at 1 to 10 px", .header = {"configuration"}, .rows = {}};
  for (std::size_t i = 1; i <= threshold_count; ++i) table.header.push_back(fmt::format("{} px", i));
  for (const auto& [name, s] : summaries) {
    std::vector<std::string>& row = table.rows.emplace_back(1, name);
    for (const double share : s.matching_accuracy) row.push_back(s.pairs > 0 ? percent(share) : none);
  }
  for (std::size_t i = 1; i < table.header.size(); ++i) mark_best_of_column(table, i, Better::higher);
  return table;
}

Table homography_table(std::span<const NamedSummary> summaries) {
  Table table{
      .title = "Homographies: accuracy and AUC at 1, 3, 5 and 10 px", .header = {"configuration", "pairs"}, .rows = {}};
  for (const char* name : {"acc", "AUC"}) {
    for (const std::size_t t : shown_thresholds) table.header.push_back(fmt::format("{}@{}", name, t));
  }
  for (const auto& [name, s] : summaries) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {name, fmt::format("{}", s.homographies)};
    for (const Curve* curve : {&s.homography_accuracy, &s.homography_area}) {
      for (const std::size_t t : shown_thresholds) {
        row.push_back(s.homographies > 0 ? percent((*curve)[t - 1]) : none);
      }
    }
  }
  for (std::size_t i = 2; i < table.header.size(); ++i) mark_best_of_column(table, i, Better::higher);
  return table;
}

Table region_table(std::span<const NamedSummary> summaries) {
  Table table{.title = "Regions: repeatability at overlap errors of 0.1 to 0.6, and correspondences at 0.4",
              .header = {"configuration", "pairs", "regions"},
              .rows = {}};
  for (const double error : overlap_errors) table.header.push_back(fmt::format("{:.1f}", error));
  table.header.emplace_back("corresponding");
  for (const auto& [name, s] : summaries) table.rows.push_back(region_row(name, s));
  for (std::size_t i = 3; i < table.header.size(); ++i) mark_best_of_column(table, i, Better::higher);
  return table;
}

}  // namespace

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

std::string counted(std::size_t count, std::string_view word, std::string_view plural) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : plural);
}

std::vector<Table> tables_of(std::span<const NamedSummary> summaries) {
  std::vector<Table> tables{matching_table(summaries), accuracy_table(summaries)};
  const bool any = std::ranges::any_of(summaries, [](const auto& one) { return one.summary.homographies > 0; });
  if (any) tables.insert(tables.end(), {homography_table(summaries), region_table(summaries)});
  return tables;
}

void add_notes(PageSection& section, std::span<const std::string> problems, std::span<const std::string> warnings) {
  constexpr std::size_t few = 10;
  std::vector<std::string> notes;
  for (const std::string& problem : problems) notes.push_back("Not evaluated: " + problem);
  for (const std::string& warning : warnings) notes.push_back("Warning: " + warning);
  if (notes.size() <= few) {
    section.notes = std::move(notes);
    return;
  }
  const std::string summary =
      fmt::format("{} and {}", counted(problems.size(), "problem"), counted(warnings.size(), "warning"));
  section.notes = {fmt::format("There are {}. The list below has them all.", summary)};
  section.details.push_back({.summary = summary, .text = fmt::format("{}", fmt::join(notes, "\n"))});
}

std::vector<PageDefinition> definitions() {
  return {{"in common", "A keypoint is in common if the other image shows its place, by the truth."},
          {"repeatability",
           "Share of the points in common that have a point of the other image within 3 px. Keypoints at one "
           "place are one point. (DeTone et al. 2018)"},
          {"one to one",
           "Share of the points in common that have such a partner, each being the nearest of the other. "
           "(Schmid et al. 2000)"},
          {"MMA",
           "Mean matching accuracy: share of the mutual nearest neighbours, without a ratio test, whose error is at "
           "most the threshold; 3 px where none is named. (Dusmanu et al. 2019)"},
          {"matches", "Matches by the configuration's own options: ratio test, mutual test, largest distance."},
          {"correct", "Matches whose error is at most 3 px: the distance in the second image from the true place."},
          {"precision", "Correct matches over all matches that the truth judges. (Mikolajczyk and Schmid 2005)"},
          {"score",
           "Matching score: correct matches over the keypoints in common, of the image that has fewer. "
           "(Mikolajczyk et al. 2005)"},
          {"corner error",
           "Mean distance in pixels between the corners of the first image as the estimated and as the true "
           "homography map them. (DeTone et al. 2018)"},
          {"acc@t", "Homography accuracy: share of the pairs with a corner error of at most t px."},
          {"AUC@t", "Area under the curve of that share from 0 to t px. (Sarlin et al. 2020)"},
          {"regions",
           "The ellipse or circle of each keypoint in common; keypoints of one place and scale have one region. Two "
           "regions overlap by their intersection over their union, after the homography has mapped one to the other "
           "and both are enlarged until the first has the area of a circle of radius 30 px. The overlap error is 1 "
           "minus that. (Mikolajczyk et al. 2005)"},
          {"region repeatability",
           "Pairs of regions, one to one and those of least error first, whose overlap error is at most the "
           "threshold, over the smaller number of regions. 0.4 where no threshold is named."},
          {"corresponding", "The number of these pairs of regions at an overlap error of 0.4, mean over pairs."},
          {"mean", "Every pair of images counts the same, whatever its number of keypoints."},
          {"★",
           "The best number of its column or row as it is printed; of equal numbers all, but none if there is no other "
           "number. Whether a difference is more "
           "than chance is in the conclusion."}};
}

PageDetails options_of(const EvaluationCircumstances& circumstances, std::span<const Configuration> configurations) {
  std::string text = json_text(as_json(circumstances)) + "\n";
  for (const Configuration& configuration : configurations) text += json_text(as_json(configuration)) + "\n";
  return {.summary = "Version, date and options", .text = text};
}

}  // namespace octavo::evaluation
