// The page of `octavo evaluate`: means over all pairs, over the halves of HPatches and over sequences.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include "io/drawing/page_image.h"
#include "study/evaluate/conclusion.h"
#include "study/evaluate/configurations_table.h"
#include "study/evaluate/evaluation_json.h"
#include "study/evaluate/evaluation_page.h"
#include "study/evaluate/example_pair.h"
#include "study/evaluate/metric_tables.h"

namespace octavo {
namespace {

using namespace evaluation;

// The groups of pairs that are reported, and their means.
struct Groups {
  explicit Groups(const Evaluation& of)
      : evaluation(of),
        halves(groups_by_change(of.comparison, of.scenes)),
        sequences(groups_by_scene(of.comparison, of.scenes)) {}

  const Evaluation& evaluation;
  std::vector<PairGroup> halves, sequences;

  [[nodiscard]] Summary summary(std::size_t configuration, const PairGroup& group) const {
    return summarise(evaluation.comparison, configuration, group.pairs);
  }
  [[nodiscard]] std::vector<NamedSummary> summaries(const PairGroup& group) const {
    std::vector<NamedSummary> all;
    for (std::size_t c = 0; c < evaluation.configurations.size(); ++c) {
      all.push_back({evaluation.configurations[c].name, summary(c, group)});
    }
    return all;
  }
};

std::string title(const PairGroup& group) {
  const std::string name = group.name == "all" ? "All pairs" : group.name;
  return fmt::format("{} ({})", name, group.pairs.size());
}

std::vector<PagePlot> plots_of(const Groups& groups) {
  std::vector<PagePlot> plots;
  if (groups.evaluation.comparison.pairs.empty()) return plots;
  for (const PairGroup& group : groups.halves) {
    plots.push_back({.plot = "matching_accuracy",
                     .subject = group.name,
                     .title = "Mean matching accuracy: " + title(group),
                     .caption = "Mutual nearest neighbours within the threshold of the truth, mean over pairs."});
    plots.push_back({.plot = "repeatability",
                     .subject = group.name,
                     .title = "Repeatability: " + title(group),
                     .caption = "Points in common with a point of the other image within the threshold."});
    if (groups.summary(0, group).homographies == 0) continue;
    plots.push_back({.plot = "homography_accuracy",
                     .subject = group.name,
                     .title = "Homography accuracy: " + title(group),
                     .caption = "Pairs whose homography's mean corner error is within the threshold."});
    plots.push_back({.plot = "region_repeatability",
                     .subject = group.name,
                     .title = "Repeatability of regions: " + title(group),
                     .caption = "Pairs of regions, one to one, whose overlap error is within the threshold."});
  }
  return plots;
}

std::vector<PagePlot> plots_by_sequence() {
  std::vector<PagePlot> plots;
  plots.push_back({.plot = "matching_accuracy_by_sequence",
                   .subject = "",
                   .title = "Matching accuracy by sequence",
                   .caption = "Mean matching accuracy at 3 pixels of each sequence."});
  plots.push_back({.plot = "correct_by_sequence",
                   .subject = "",
                   .title = "Correct matches by sequence",
                   .caption = "Matches within 3 pixels of the truth, mean over the pairs of each sequence."});
  return plots;
}

std::string name_of_pair(const Evaluation& evaluation, std::size_t pair) {
  const ComparedPair& one = evaluation.comparison.pairs[pair];
  return evaluation.scenes[one.scene].others[one.other].name.path.string();
}

std::string row_id(std::size_t pair) { return fmt::format("pair-{}", pair + 1); }
std::string image_id(std::size_t pair) { return fmt::format("image-{}", pair + 1); }

std::string cell_of_precision(const PairScores& s) {
  return s.judged > 0 ? percent(precision(s)[correct_within - 1]) : "-";
}
std::string cell_of_correct(const PairScores& s) { return fmt::format("{}", s.correct[correct_within - 1]); }
std::string cell_of_error(const PairScores& s) {
  return s.has_true_homography && std::isfinite(s.corner_error) ? fmt::format("{:.2f}", s.corner_error) : "-";
}

// A row for each pair. Those that have an image link to it.
Table pair_table(const Evaluation& evaluation, std::span<const MatchExample> examples) {
  const std::vector<ComparedPair>& pairs = evaluation.comparison.pairs;
  const std::size_t configurations = evaluation.configurations.size();
  const bool has_errors = std::any_of(pairs.begin(), pairs.end(),
                                      [](const ComparedPair& pair) { return pair.scores.front().has_true_homography; });
  std::vector<std::string (*)(const PairScores&)> cells{cell_of_precision, cell_of_correct};
  if (has_errors) cells.push_back(cell_of_error);
  Table table{.header = {"second image of the pair"}, .rows = {}};
  for (const char* number : {"precision", "correct", "corner error"}) {
    if (number == std::string_view("corner error") && !has_errors) continue;
    for (const Configuration& configuration : evaluation.configurations) {
      table.header.push_back(configurations == 1 ? number : fmt::format("{} {}", number, configuration.name));
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::vector<std::string> row{name_of_pair(evaluation, i)};
    for (const auto& cell : cells) std::ranges::transform(pairs[i].scores, std::back_inserter(row), cell);
    table.rows.push_back(std::move(row));
    mark_best_of_row(table, i, 1, 1 + configurations, Better::higher);
    mark_best_of_row(table, i, 1 + configurations, 1 + 2 * configurations, Better::higher);
    if (has_errors) mark_best_of_row(table, i, 1 + 2 * configurations, 1 + 3 * configurations, Better::lower);
    table.ids.push_back(row_id(i));
    const bool is_drawn =
        std::any_of(examples.begin(), examples.end(), [&](const MatchExample& s) { return s.pair == i; });
    table.links.push_back(is_drawn ? image_id(i) : "");
  }
  return table;
}

// A row for each sequence, with means over its pairs.
Table table_by_sequence(const Groups& groups) {
  struct Number {
    const char* name;
    std::string (*text)(const Summary&);
  };
  constexpr std::array numbers{
      Number{"repeatability", [](const Summary& s) { return percent(s.repeatability[at_correct]); }},
      Number{"MMA", [](const Summary& s) { return percent(s.matching_accuracy[at_correct]); }},
      Number{"precision", [](const Summary& s) { return percent(s.precision[at_correct]); }},
      Number{"correct", [](const Summary& s) { return fmt::format("{:.1f}", s.correct[at_correct]); }},
      Number{"acc@3", [](const Summary& s) {
               return s.homographies > 0 ? percent(s.homography_accuracy[at_correct]) : std::string("-");
             }}};
  const std::span<const Configuration> configurations = groups.evaluation.configurations;
  Table table{.header = {"sequence", "pairs"}, .rows = {}};
  for (const Number& number : numbers) {
    for (const Configuration& configuration : configurations) {
      table.header.push_back(configurations.size() == 1 ? number.name
                                                        : fmt::format("{} {}", number.name, configuration.name));
    }
  }
  for (const PairGroup& group : groups.sequences) {
    const std::vector<NamedSummary> summaries = groups.summaries(group);
    std::vector<std::string> row{group.name, fmt::format("{}", group.pairs.size())};
    for (const Number& number : numbers) {
      for (const NamedSummary& one : summaries) row.push_back(number.text(one.summary));
    }
    table.rows.push_back(std::move(row));
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      const std::size_t first = 2 + n * configurations.size();
      mark_best_of_row(table, table.rows.size() - 1, first, first + configurations.size(), Better::higher);
    }
  }
  return table;
}

std::string place_in_order(const MatchExample& example) {
  if (example.rank == 0) return "The best pair";
  if (example.rank + 1 == example.ranked) return "The worst pair";
  if (example.rank == (example.ranked - 1) / 2 || example.rank == example.ranked / 2) return "The median pair";
  return fmt::format("Pair {}", example.rank + 1);
}

PageSection images_of(const Evaluation& evaluation, std::span<const MatchExample> examples) {
  PageSection section{
      .heading = "Pairs to look at",
      .id = "images",
      .paragraphs = {"Lines join matched points. Right matches (error at most 3 px) are solid and blue, "
                     "wrong ones dashed and orange, those that the truth does not judge dotted and "
                     "white. The pointer near a line shows its error."}};
  for (const MatchExample& example : examples) {
    PageImagePair pair = image_pair_of(example, evaluation.configurations, correct_within);
    pair.id = image_id(example.pair);
    pair.title = name_of_pair(evaluation, example.pair);
    pair.why = fmt::format("{} of {}, ordered by precision (the mean over the configurations).",
                           place_in_order(example), example.ranked);
    pair.back = row_id(example.pair);
    section.pairs.push_back(std::move(pair));
  }
  return section;
}

PageSection conclusion_of(const Evaluation& evaluation, std::size_t sequences) {
  const Comparison& comparison = evaluation.comparison;
  const AlikePairs alike = alike_by_scene(comparison, "sequences");
  PageSection section{.heading = "Conclusion",
                      .id = "conclusion",
                      .conclusions = conclusions_of(comparison, alike, evaluation.configurations),
                      .paragraphs = {fmt::format(
                          "{} of {}, {}. Shares are in percent.", counted(comparison.pairs.size(), "pair"),
                          counted(sequences, "sequence"), counted(evaluation.configurations.size(), "configuration"))}};
  add_notes(section, evaluation.problems, comparison.warnings);
  if (const Table table = difference_table(comparison, alike, evaluation.configurations); !table.rows.empty()) {
    section.tables.push_back(table);
    section.paragraphs.emplace_back(
        "A difference that may be chance has the sign =. The definitions say how that is decided.");
  }
  return section;
}

}  // namespace

std::vector<Table> evaluation_tables(const Evaluation& evaluation) {
  const Groups groups(evaluation);
  std::vector<Table> tables;
  for (const PairGroup& group : groups.halves) {
    for (Table& table : tables_of(groups.summaries(group))) {
      table.title = fmt::format("{}. {}", title(group), table.title);
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

std::vector<Table> sequence_tables(const Evaluation& evaluation) {
  const Groups groups(evaluation);
  std::vector<Table> tables;
  for (const PairGroup& group : groups.sequences) {
    tables.push_back(tables_of(groups.summaries(group)).front());
    tables.back().title = title(group);
  }
  return tables;
}

std::string evaluation_json(const Evaluation& evaluation) {
  const Groups groups(evaluation);
  auto configurations = Json::array();
  for (std::size_t c = 0; c < evaluation.configurations.size(); ++c) {
    Json configuration = as_json(evaluation.configurations[c]);
    for (const PairGroup& group : groups.halves)
      configuration["summary"][group.name] = as_json(groups.summary(c, group));
    configuration["sequences"] = Json::array();
    for (const PairGroup& group : groups.sequences) {
      Json sequence{{"name", group.name}};
      sequence.update(as_json(groups.summary(c, group)));
      configuration["sequences"].push_back(sequence);
    }
    configuration["pairs"] = Json::array();
    for (const ComparedPair& pair : evaluation.comparison.pairs) {
      const KnownScene& scene = evaluation.scenes[pair.scene];
      Json json{{"sequence", scene.name},
                {"image_a", scene.first_name.path.string()},
                {"image_b", scene.others[pair.other].name.path.string()}};
      json.update(as_json(pair.scores[c]));
      configuration["pairs"].push_back(json);
    }
    configurations.push_back(configuration);
  }
  Json document{{"root", evaluation.root}};
  complete(document, evaluation.circumstances, configurations, evaluation.problems, evaluation.comparison.warnings);
  return json_text(document);
}

ReportPage evaluation_page(const Evaluation& evaluation, std::span<const MatchExample> examples) {
  const Groups groups(evaluation);
  ReportPage page{.subject = PageSubject::evaluation,
                  .title = "Evaluation of " + evaluation.root,
                  .json = evaluation_json(evaluation)};
  page.sections.push_back(conclusion_of(evaluation, groups.sequences.size()));
  for (const PairGroup& group : groups.halves) {
    page.sections.push_back(
        {.heading = title(group), .id = "means-" + group.name, .tables = tables_of(groups.summaries(group))});
  }
  if (!examples.empty()) page.sections.push_back(images_of(evaluation, examples));
  if (std::vector<PagePlot> plots = plots_of(groups); !plots.empty()) {
    PageSection section{.heading = "Plots", .id = "plots", .plots = std::move(plots)};
    constexpr std::size_t few_bars = 20;
    const std::size_t sequences = groups.sequences.size();
    if (sequences > few_bars) {
      section.details.push_back(
          {.summary = fmt::format("Plots of {} sequences", sequences), .plots = plots_by_sequence()});
    } else if (sequences > 1) {
      const std::vector<PagePlot> bars = plots_by_sequence();
      section.plots.insert(section.plots.end(), bars.begin(), bars.end());
    }
    page.sections.push_back(std::move(section));
  }
  PageSection pairs{.heading = "Every pair and sequence", .id = "pairs"};
  const Table table = pair_table(evaluation, examples);
  if (!examples.empty()) pairs.paragraphs = {"A name with a link leads to the image of its matches."};
  constexpr std::size_t few_rows = 100;
  if (table.rows.size() <= few_rows) {
    pairs.tables.push_back(table);
  } else {
    pairs.details.push_back({.summary = counted(table.rows.size(), "pair"), .tables = {table}});
  }
  pairs.details.push_back(
      {.summary = counted(groups.sequences.size(), "sequence"), .tables = {table_by_sequence(groups)}});
  page.sections.push_back(std::move(pairs));
  page.sections.push_back({.heading = "Configurations",
                           .id = "configurations",
                           .tables = {configurations_table(evaluation.configurations)},
                           .details = {options_of(evaluation.circumstances, evaluation.configurations)}});
  std::vector<PageDefinition> words = definitions();
  if (evaluation.configurations.size() > 1)
    words.push_back({"=", method_of(alike_by_scene(evaluation.comparison, "sequences"))});
  page.sections.push_back({.heading = "Definitions",
                           .id = "definitions",
                           .paragraphs = {"Octavo's docs/evaluation.md has the details and the full references."},
                           .definitions = std::move(words)});
  return page;
}

}  // namespace octavo
