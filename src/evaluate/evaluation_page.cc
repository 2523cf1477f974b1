// The page of `octavo evaluate`: means over all pairs, over the halves of HPatches and over sequences.

#include <fmt/core.h>

#include "evaluate/evaluation_json.h"
#include "evaluate/metric_tables.h"
#include "octavo/evaluation_page.h"

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

  [[nodiscard]] Summary summary(std::size_t setting, const PairGroup& group) const {
    return summarise(evaluation.comparison, setting, group.pairs);
  }
  [[nodiscard]] std::vector<NamedSummary> summaries(const PairGroup& group) const {
    std::vector<NamedSummary> all;
    for (std::size_t c = 0; c < evaluation.settings.size(); ++c) {
      all.push_back({evaluation.settings[c].name, summary(c, group)});
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
  }
  if (groups.sequences.size() < 2) return plots;
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
  auto settings = Json::array();
  for (std::size_t c = 0; c < evaluation.settings.size(); ++c) {
    Json setting = as_json(evaluation.settings[c]);
    for (const PairGroup& group : groups.halves) setting["summary"][group.name] = as_json(groups.summary(c, group));
    setting["sequences"] = Json::array();
    for (const PairGroup& group : groups.sequences) {
      Json sequence{{"name", group.name}};
      sequence.update(as_json(groups.summary(c, group)));
      setting["sequences"].push_back(sequence);
    }
    setting["pairs"] = Json::array();
    for (const ComparedPair& pair : evaluation.comparison.pairs) {
      const Scene& scene = evaluation.scenes[pair.scene];
      Json json{{"sequence", scene.name}, {"image", scene.others[pair.other].name.path.string()}};
      json.update(as_json(pair.scores[c]));
      setting["pairs"].push_back(json);
    }
    settings.push_back(setting);
  }
  Json document{{"root", evaluation.root}};
  complete(document, evaluation.circumstances, settings, evaluation.problems, evaluation.comparison.warnings);
  return text_of(document);
}

ReportPage evaluation_page(const Evaluation& evaluation) {
  const Groups groups(evaluation);
  ReportPage page{.subject = PageSubject::evaluation,
                  .title = "Evaluation of " + evaluation.root,
                  .json = evaluation_json(evaluation)};
  page.sections.push_back(
      {.paragraphs = {fmt::format(
           "{} pairs of {} sequences, {} settings. Shares are in percent; Octavo's docs/evaluation.md defines the "
           "numbers.",
           evaluation.comparison.pairs.size(), groups.sequences.size(), evaluation.settings.size())},
       .notes = notes_of(evaluation.problems, evaluation.comparison.warnings)});
  for (const PairGroup& group : groups.halves) {
    page.sections.push_back({.heading = title(group), .tables = tables_of(groups.summaries(group))});
  }
  page.sections.push_back({.heading = "Plots", .plots = plots_of(groups)});
  page.sections.push_back({.heading = "Sequences",
                           .tables = sequence_tables(evaluation),
                           .details = {options_of(evaluation.circumstances, evaluation.settings)}});
  return page;
}

}  // namespace octavo
