// The numbers that tables and JSON show, their order and their names.

#include "cli/evaluate/metrics_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace octavo::cli {
namespace {

constexpr std::size_t shown_thresholds[] = {1, 3, 5, 10};  // [pixel] of homographies, as in the literature

double at_three(const Curve& curve) { return curve[correct_within - 1]; }

}  // namespace

const char* const metrics_manual = R"(Definitions and sources are in docs/evaluation.md; in short, shares in percent:
  repeatability  points in common that have a point of the other image within
                 3 px
  one to one     points in common that have such a partner, if each is the
                 nearest point of the other
  MMA            mean matching accuracy: mutual nearest neighbours, without a
                 ratio test, whose error is at most the threshold in px
  matches, correct, precision, matching score
                 of the matches that --ratio and the other matching options
                 leave; correct means within 3 px; the score is the number of
                 correct matches per keypoint in common
  accuracy, AUC  homographies whose mean corner error is at most the threshold
                 in px; the area under that curve)";

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

std::vector<Table> tables_of(std::span<const NamedSummary> summaries, const std::string& first) {
  const std::string none = "-";
  Table matching{.title = "Keypoints and matches, at 3 px",
                 .header = {first, "pairs", "keypoints", "repeatability", "one to one", "matches", "correct",
                            "precision", "score"},
                 .rows = {}};
  Table accuracies{.title = "Mean matching accuracy at 1 to 10 px", .header = {first}, .rows = {}};
  Table homographies{
      .title = "Homographies: accuracy and AUC at 1, 3, 5 and 10 px", .header = {first, "pairs"}, .rows = {}};
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

nlohmann::ordered_json as_json(const Summary& s) {
  nlohmann::ordered_json json{{"pairs", s.pairs},
                              {"keypoints", s.keypoints},
                              {"repeatability", s.repeatability},
                              {"one_to_one", s.correspondence_share},
                              {"mma", s.matching_accuracy},
                              {"matches", s.matches},
                              {"correct", s.correct},
                              {"precision", s.precision},
                              {"matching_score", s.matching_score},
                              {"homographies", s.homographies}};
  for (auto& [name, value] : json.items()) {
    if (s.pairs == 0 && name != "pairs" && name != "homographies") value = nullptr;
  }
  const bool known = s.homographies > 0;
  json["homography_accuracy"] = known ? nlohmann::ordered_json(s.homography_accuracy) : nullptr;
  json["homography_auc"] = known ? nlohmann::ordered_json(s.homography_area) : nullptr;
  return json;
}

nlohmann::ordered_json as_json(const PairScores& s) {
  nlohmann::ordered_json json{{"keypoints_a", s.keypoints_a},
                              {"keypoints_b", s.keypoints_b},
                              {"common_a", s.common_a},
                              {"common_b", s.common_b},
                              {"points_a", s.points_a},
                              {"points_b", s.points_b},
                              {"repeated_a", s.repeated_a},
                              {"repeated_b", s.repeated_b},
                              {"corresponding", s.corresponding},
                              {"mutual_matches", s.mutual_matches},
                              {"mutual_judged", s.mutual_judged},
                              {"mutual_correct", s.mutual_correct},
                              {"matches", s.matches},
                              {"judged", s.judged},
                              {"correct", s.correct},
                              {"repeatability", repeatability(s)},
                              {"one_to_one", correspondence_share(s)},
                              {"mma", matching_accuracy(s)},
                              {"precision", precision(s)},
                              {"matching_score", matching_score(s)}};
  if (s.has_true_homography) {
    json["homography_b_from_a"] = s.homography ? nlohmann::ordered_json(*s.homography) : nullptr;
    json["corner_error"] = s.homography ? nlohmann::ordered_json(s.corner_error) : nullptr;
  }
  return json;
}

}  // namespace octavo::cli
