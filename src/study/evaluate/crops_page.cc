// The tables, the JSON and the page of `octavo evaluate crops`.

#include <fmt/core.h>

#include <cstddef>

#include "io/drawing/page_image.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "study/evaluate/configurations_table.h"
#include "study/evaluate/evaluation_json.h"
#include "study/evaluate/evaluation_page.h"
#include "study/evaluate/example_pair.h"
#include "study/evaluate/metric_tables.h"

namespace octavo {
namespace {

using namespace evaluation;

std::string text_of(ImageSize size) { return fmt::format("{}x{}", size.width, size.height); }

std::string title_of(const CropCase& one) { return fmt::format("{}, {}", text_of(one.size), label_of(one.change)); }

Table table_of(const CropEvaluation& evaluation, std::size_t which_case) {
  Table table{
      .title = title_of(evaluation.comparison.cases[which_case]),
      .header = {"configuration", "photographs", "keypoints", "of crops", "correct", "matches", "precision", "seconds"},
      .rows = {}};
  for (std::size_t c = 0; c < evaluation.configurations.size(); ++c) {
    const CropTotals totals = crop_totals(evaluation.comparison, c, which_case);
    std::vector<std::string> row{evaluation.configurations[c].name, fmt::format("{}", totals.photographs)};
    if (totals.photographs == 0) {
      row.resize(table.header.size(), "-");
    } else {
      for (const auto count : {totals.keypoints_photograph, totals.keypoints_crop, totals.correct, totals.matches}) {
        row.push_back(fmt::format("{}", count));
      }
      row.push_back(totals.matches > 0 ? percent(precision(totals)) : "-");
      row.push_back(fmt::format("{:.3f}", totals.seconds));
    }
    table.rows.push_back(row);
  }
  // More keypoints or matches are not better by themselves.
  mark_best_of_column(table, 4, Better::higher);
  mark_best_of_column(table, 6, Better::higher);
  mark_best_of_column(table, 7, Better::lower);
  return table;
}

Json json_of_case(const CropCase& one) {
  const bool is_clean = one.change.name == CropChange().name;
  return {{"crop", text_of(one.size)},
          {"change", one.change.name},
          {"strength", is_clean ? Json(nullptr) : Json(one.change.strength)}};
}

Json cases_as_json(const CropEvaluation& evaluation, std::size_t pipeline) {
  auto cases = Json::array();
  for (std::size_t i = 0; i < evaluation.comparison.cases.size(); ++i) {
    const CropTotals totals = crop_totals(evaluation.comparison, pipeline, i);
    Json json = json_of_case(evaluation.comparison.cases[i]);
    json.update({{"photograph_count", totals.photographs},
                 {"keypoint_count_photograph", totals.keypoints_photograph},
                 {"keypoint_count_crop", totals.keypoints_crop},
                 {"correct_count", totals.correct},
                 {"match_count", totals.matches},
                 {"precision", totals.matches > 0 ? Json(precision(totals)) : Json(nullptr)},
                 {"seconds", totals.seconds}});
    cases.push_back(json);
  }
  return cases;
}

Json pairs_as_json(const CropEvaluation& evaluation, std::size_t pipeline) {
  auto pairs = Json::array();
  for (const CroppedPair& pair : evaluation.comparison.pairs) {
    const CropScores& scores = pair.scores[pipeline];
    Json json{{"photograph", evaluation.photographs[pair.photograph].file.string()},
              {"photograph_size", {pair.photograph_size.width, pair.photograph_size.height}},
              {"left", pair.left},
              {"top", pair.top}};
    json.update(json_of_case(evaluation.comparison.cases[pair.which_case]));
    json.update({{"keypoint_count_photograph", scores.keypoints_photograph},
                 {"keypoint_count_crop", scores.keypoints_crop},
                 {"correct_count", scores.correct},
                 {"match_count", scores.matches},
                 {"photograph_seconds", scores.seconds_photograph},
                 {"crop_seconds", scores.seconds_crop},
                 {"match_seconds", scores.seconds_match}});
    pairs.push_back(json);
  }
  return pairs;
}

// What was done, without the results.
Json circumstances_of(const CropEvaluation& evaluation) {
  const CropOptions& options = evaluation.options;
  auto crops = Json::array();
  for (const ImageSize& size : options.crop_sizes) crops.push_back(text_of(size));
  return {{"images", evaluation.images},
          {"crop_sizes", crops},
          {"size", options.size == 0 ? Json(nullptr) : Json(options.size)},
          {"noise_seed", options.noise_seed},
          {"correct_within", crop_match_within},
          {"octavo", evaluation.version},
          {"date", evaluation.date},
          {"device", evaluation.device},
          {"exif_rotation", options.read.apply_exif_rotation}};
}

std::vector<PagePlot> plots_of_crops(const CropEvaluation& evaluation, ImageSize size) {
  const std::string of = text_of(size);
  if (evaluation.comparison.pairs.empty()) return {};
  return {{"correct", of, "Correct matches", "Matches within 4 pixels of the true place, in x and in y; the sum."},
          {"precision", of, "Precision", "Correct matches over all matches."},
          {"keypoints", of, "Keypoints", "Keypoints of the crops; the sum."},
          {"seconds", of, "Time", "Keypoints of the photographs and of the crops, and matching; the sum."}};
}

// The crop of the first photograph in each case of this size.
std::vector<PageImage> images_of_crops(const CropEvaluation& evaluation, ImageSize size) {
  std::vector<PageImage> images;
  for (const CropCase& one : evaluation.comparison.cases) {
    if (one.size != size || evaluation.comparison.pairs.empty()) continue;
    const std::size_t photograph = evaluation.comparison.pairs.front().photograph;
    try {
      const Image crop = crop_of(evaluation.photographs[photograph], one, evaluation.options);
      images.push_back(io::page_image(crop.view(), label_of(one.change)));
    } catch (const Error&) {
      continue;  // the photograph is smaller than this crop, or has changed since the comparison
    }
  }
  return images;
}

// The examples of one size, by changes.
std::vector<PageImagePair> pairs_of_crops(const CropEvaluation& evaluation, ImageSize size,
                                          std::span<const MatchExample> examples) {
  std::vector<PageImagePair> pairs;
  for (const MatchExample& example : examples) {
    const CroppedPair& cropped = evaluation.comparison.pairs[example.pair];
    const CropCase& one = evaluation.comparison.cases[cropped.which_case];
    if (one.size != size) continue;
    PageImagePair pair = image_pair_of(example, evaluation.configurations, crop_match_within);
    pair.id = fmt::format("image-{}", example.pair + 1);
    pair.title = fmt::format("{}, {}", title_of(one), evaluation.photographs[cropped.photograph].name.string());
    pair.why = fmt::format("Photograph {} of {}, ordered by right matches (the sum over the configurations).",
                           example.rank + 1, example.ranked);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::vector<PageDefinition> definitions_of_crops() {
  return {{"photographs", "Photographs that count: those in which every configuration could be used."},
          {"keypoints, of crops", "Keypoints of the photographs, and of the crops."},
          {"matches", "Matches of the crop with the photograph by the configuration's own options."},
          {"correct",
           "Matches whose place in the photograph is within 4 pixels of the true one, in x and in y. (Sawada 2024)"},
          {"precision", "Correct matches over all matches, over all photographs together."},
          {"seconds",
           "Wall time to find the keypoints of the photograph and of the crop and to match them, the sum over the "
           "photographs. Each time is taken once, after a first run that is not timed."},
          {"★", "The best number of its column as it is printed."}};
}

}  // namespace

std::vector<Table> crop_tables(const CropEvaluation& evaluation) {
  std::vector<Table> tables;
  for (std::size_t i = 0; i < evaluation.comparison.cases.size(); ++i) tables.push_back(table_of(evaluation, i));
  return tables;
}

std::string crop_json(const CropEvaluation& evaluation) {
  auto configurations = Json::array();
  for (std::size_t c = 0; c < evaluation.configurations.size(); ++c) {
    Json configuration = evaluation::as_json(evaluation.configurations[c]);
    configuration["cases"] = cases_as_json(evaluation, c);
    configuration["pairs"] = pairs_as_json(evaluation, c);
    configurations.push_back(configuration);
  }
  Json document = circumstances_of(evaluation);
  document.update({{"configurations", configurations},
                   {"problems", evaluation.problems},
                   {"warnings", evaluation.comparison.warnings}});
  return json_text(document);
}

ReportPage crop_page(const CropEvaluation& evaluation, std::span<const MatchExample> examples) {
  ReportPage page{.subject = PageSubject::crops, .title = "Crops and their photographs", .json = crop_json(evaluation)};
  PageSection overview{
      .heading = "Overview",
      .id = "overview",
      .paragraphs = {fmt::format(
          "{}, {}, device {}. The centre of each photograph is cut out, changed, and matched with the photograph. "
          "Numbers are sums over the photographs.",
          counted(evaluation.photographs.size(), "photograph"),
          counted(evaluation.configurations.size(), "configuration"), evaluation.device)}};
  add_notes(overview, evaluation.problems, evaluation.comparison.warnings);
  page.sections.push_back(std::move(overview));
  for (const ImageSize& size : evaluation.options.crop_sizes) {
    PageSection section{.heading = fmt::format("Crops of {}", text_of(size)), .id = "crops-" + text_of(size)};
    section.images = images_of_crops(evaluation, size);
    for (std::size_t i = 0; i < evaluation.comparison.cases.size(); ++i) {
      if (evaluation.comparison.cases[i].size == size) section.tables.push_back(table_of(evaluation, i));
    }
    section.plots = plots_of_crops(evaluation, size);
    section.pairs = pairs_of_crops(evaluation, size, examples);
    if (!section.pairs.empty()) {
      section.paragraphs.emplace_back(
          "Lines join matched points of a crop, left, and its photograph. Right matches (at most 4 px off in x and in "
          "y) are solid and blue, wrong ones dashed and orange. The pointer near a line shows its error.");
    }
    page.sections.push_back(std::move(section));
  }
  std::string options = json_text(circumstances_of(evaluation)) + "\n";
  for (const Configuration& configuration : evaluation.configurations) {
    options += json_text(evaluation::as_json(configuration)) + "\n";
  }
  page.sections.push_back({.heading = "Configurations",
                           .id = "configurations",
                           .tables = {configurations_table(evaluation.configurations)},
                           .details = {{.summary = "Version, date and options", .text = options}}});
  page.sections.push_back({.heading = "Definitions", .id = "definitions", .definitions = definitions_of_crops()});
  return page;
}

}  // namespace octavo
