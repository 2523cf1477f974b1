// The comparison with labelled corners as tables and JSON.

#include <fmt/format.h>

#include "study/evaluate/corner_truth.h"
#include "study/evaluate/evaluation_json.h"

namespace octavo {
namespace {

const std::vector<std::string> columns_of_counts{"labelled", "detected",  "matched", "missed",
                                                 "false",    "precision", "recall",  "error [px]"};

std::string text_of_share(std::optional<double> value, double factor, int places) {
  return value ? fmt::format("{:.{}f}", factor * *value, places) : "–";
}

std::vector<std::string> cells_of(const CornerScores& scores) {
  return {fmt::format("{}", scores.labelled),        fmt::format("{}", scores.detected),
          fmt::format("{}", scores.matched),         fmt::format("{}", scores.missed()),
          fmt::format("{}", scores.false_corners()), text_of_share(scores.precision(), 100, 2),
          text_of_share(scores.recall(), 100, 2),    text_of_share(scores.localisation_error(), 1, 3)};
}

CornerScores sum_of(const CornerComparison& comparison, std::size_t configuration) {
  CornerScores sum;
  for (const ComparedCorners& image : comparison.images) sum += image.scores[configuration];
  return sum;
}

Json as_json(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json as_json(const CornerScores& scores) {
  return {{"labelled_count", scores.labelled},     {"detected_count", scores.detected},
          {"matched_count", scores.matched},       {"missed_count", scores.missed()},
          {"false_count", scores.false_corners()}, {"precision", as_json(scores.precision())},
          {"recall", as_json(scores.recall())},    {"localisation_error", as_json(scores.localisation_error())}};
}

}  // namespace

Table corner_table(std::span<const Configuration> configurations, const CornerComparison& comparison) {
  Table table{.header = {"configuration"}, .rows = {}};
  table.header.insert(table.header.end(), columns_of_counts.begin(), columns_of_counts.end());
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    std::vector<std::string> row{configurations[i].name};
    for (const std::string& cell : cells_of(sum_of(comparison, i))) row.push_back(cell);
    table.rows.push_back(row);
  }
  return table;
}

Table corner_image_table(std::span<const Configuration> configurations, const CornerComparison& comparison) {
  Table table{.header = {"image", "configuration"}, .rows = {}, .words = 2};
  table.header.insert(table.header.end(), columns_of_counts.begin(), columns_of_counts.end());
  for (const ComparedCorners& image : comparison.images) {
    for (std::size_t i = 0; i < configurations.size(); ++i) {
      std::vector<std::string> row{image.image.string(), configurations[i].name};
      for (const std::string& cell : cells_of(image.scores[i])) row.push_back(cell);
      table.rows.push_back(row);
    }
  }
  return table;
}

std::string corner_json(const CornerEvaluation& evaluation) {
  const CornerComparison& comparison = evaluation.comparison;
  Json compared = Json::array();
  for (std::size_t i = 0; i < evaluation.configurations.size(); ++i) {
    Json images = Json::array();
    for (const ComparedCorners& image : comparison.images) {
      Json one{{"image", image.image.string()}};
      one.update(as_json(image.scores[i]));
      images.push_back(one);
    }
    Json configuration = evaluation::as_json(evaluation.configurations[i]);
    configuration["summary"] = as_json(sum_of(comparison, i));
    configuration["images"] = images;
    compared.push_back(configuration);
  }
  return json_text(Json{{"root", evaluation.root.string()},
                        {"octavo", evaluation.version},
                        {"date", evaluation.date},
                        {"tolerance", evaluation.tolerance},
                        {"configurations", compared},
                        {"problems", comparison.problems}});
}

}  // namespace octavo
