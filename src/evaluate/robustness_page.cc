// The page of `octavo evaluate robustness`: how the numbers fall with the strength of a change.

#include <fmt/core.h>

#include "evaluate/evaluation_json.h"
#include "evaluate/metric_tables.h"
#include "octavo/evaluation_page.h"

namespace octavo {
namespace {

using namespace evaluation;

// The summary over all photographs, at the i-th strength of this kind.
Summary summary_of(const RobustnessEvaluation& evaluation, std::size_t setting, const Distortion& kind, std::size_t i) {
  return summarise(evaluation.comparison, setting, pairs_at(evaluation.comparison, evaluation.made, kind, i));
}

// A number that is reported as a curve over the strength of a change.
struct Measure {
  const char* header;
  const char* plot;  // the name of its plot in pages/report/robustness.js
  double (*number)(const Summary&);
};
constexpr std::size_t at_three = correct_within - 1;
constexpr Measure measures[] = {
    {"repeatability", "repeatability", [](const Summary& s) { return 100 * s.repeatability[at_three]; }},
    {"MMA", "matching_accuracy", [](const Summary& s) { return 100 * s.matching_accuracy[at_three]; }},
    {"precision", "precision", [](const Summary& s) { return 100 * s.precision[at_three]; }},
    {"score", "matching_score", [](const Summary& s) { return 100 * s.matching_score; }},
    {"correct", "correct", [](const Summary& s) { return s.correct[at_three]; }}};

std::string heading(const Distortion& kind) { return fmt::format("{} ({})", kind.name, kind.unit); }

// A table with one row for each strength, which holds the numbers of each setting.
Table table_of(const RobustnessEvaluation& evaluation, const Distortion& kind) {
  Table table{.title = heading(kind), .header = {std::string(kind.name)}, .rows = {}};
  for (const Measure& measure : measures) {
    for (const Setting& setting : evaluation.settings) {
      const std::string& name = setting.name;
      table.header.push_back(evaluation.settings.size() == 1 ? measure.header
                                                             : fmt::format("{} {}", measure.header, name));
    }
  }
  for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:g}", kind.strengths[i])};
    for (const Measure& measure : measures) {
      for (std::size_t c = 0; c < evaluation.settings.size(); ++c) {
        const Summary summary = summary_of(evaluation, c, kind, i);
        row.push_back(summary.pairs > 0 ? fmt::format("{:.1f}", measure.number(summary)) : "-");
      }
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

std::vector<Table> robustness_tables(const RobustnessEvaluation& evaluation) {
  std::vector<Table> tables;
  for (const Distortion* kind : evaluation.kinds) tables.push_back(table_of(evaluation, *kind));
  return tables;
}

std::string robustness_json(const RobustnessEvaluation& evaluation) {
  auto settings = Json::array();
  for (std::size_t c = 0; c < evaluation.settings.size(); ++c) {
    Json setting = as_json(evaluation.settings[c]);
    setting["curves"] = Json::array();
    for (const Distortion* kind : evaluation.kinds) {
      auto points = Json::array();
      for (std::size_t i = 0; i < kind->strengths.size(); ++i) {
        Json point{{"strength", kind->strengths[i]}};
        point.update(as_json(summary_of(evaluation, c, *kind, i)));
        points.push_back(point);
      }
      setting["curves"].push_back({{"kind", kind->name}, {"unit", kind->unit}, {"points", points}});
    }
    setting["pairs"] = Json::array();
    for (const ComparedPair& pair : evaluation.comparison.pairs) {
      const SceneOrigin& origin = evaluation.made.origins[pair.scene];
      Json json{{"image", evaluation.made.scenes[pair.scene].others[pair.other].name.path.string()},
                {"photograph", origin.photograph.string()},
                {"kind", origin.distortion->name},
                {"strength", origin.distortion->strengths[pair.other]}};
      json.update(as_json(pair.scores[c]));
      setting["pairs"].push_back(json);
    }
    settings.push_back(setting);
  }
  Json document{{"images", evaluation.images}, {"noise_seed", evaluation.noise_seed}};
  complete(document, evaluation.circumstances, settings, evaluation.problems, evaluation.comparison.warnings);
  return text_of(document);
}

ReportPage robustness_page(const RobustnessEvaluation& evaluation) {
  ReportPage page{.subject = PageSubject::robustness,
                  .title = "Robustness of keypoints and matches",
                  .json = robustness_json(evaluation)};
  page.sections.push_back(
      {.paragraphs = {fmt::format("{} pairs, {} settings. Shares are in percent, numbers are means over the "
                                  "photographs; Octavo's docs/evaluation.md defines them.",
                                  evaluation.comparison.pairs.size(), evaluation.settings.size())},
       .notes = notes_of(evaluation.problems, evaluation.comparison.warnings)});
  for (const Distortion* kind : evaluation.kinds) {
    PageSection section{.heading = heading(*kind), .tables = {table_of(evaluation, *kind)}};
    section.tables.front().title.clear();
    for (const Measure& measure : measures) {
      section.plots.push_back({.plot = measure.plot,
                               .subject = std::string(kind->name),
                               .title = fmt::format("{}: {}", kind->name, measure.header),
                               .caption = "Mean over the photographs at each strength."});
    }
    page.sections.push_back(section);
  }
  page.sections.push_back({.details = {options_of(evaluation.circumstances, evaluation.settings)}});
  return page;
}

}  // namespace octavo
