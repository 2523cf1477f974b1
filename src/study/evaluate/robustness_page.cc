// The page of `octavo evaluate robustness`: how the numbers fall with the strength of a change.

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

#include "io/drawing/page_image.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "study/evaluate/centre.h"
#include "study/evaluate/conclusion.h"
#include "study/evaluate/configurations_table.h"
#include "study/evaluate/evaluation_json.h"
#include "study/evaluate/evaluation_page.h"
#include "study/evaluate/metric_tables.h"
#include "study/evaluate/paired_difference.h"

namespace octavo {
namespace {

using namespace evaluation;

// The summary over all photographs, at the i-th strength of this kind.
Summary summary_of(const RobustnessEvaluation& evaluation, std::size_t configuration, const Distortion& kind,
                   std::size_t i) {
  return summarise(evaluation.comparison, configuration, pairs_at(evaluation.comparison, evaluation.made, kind, i));
}

// A number that is reported as a curve over the strength of a change.
struct Measure {
  const char* header;
  const char* label;
  const char* plot;  // the name of its plot in pages/report/robustness.js
  double (*number)(const Summary&);
};
constexpr Measure measures[] = {
    {"repeatability", "repeatability at 3 px", "repeatability",
     [](const Summary& s) { return 100 * s.repeatability[at_correct]; }},
    {"regions", "repeatability of regions at an overlap error of 0.4", "region_repeatability",
     [](const Summary& s) { return 100 * s.region_repeatability[usual_overlap]; }},
    {"MMA", "matching accuracy (MMA) at 3 px", "matching_accuracy",
     [](const Summary& s) { return 100 * s.matching_accuracy[at_correct]; }},
    {"precision", "precision at 3 px", "precision", [](const Summary& s) { return 100 * s.precision[at_correct]; }},
    {"score", "matching score at 3 px", "matching_score", [](const Summary& s) { return 100 * s.matching_score; }},
    {"correct", "correct matches at 3 px", "correct", [](const Summary& s) { return s.correct[at_correct]; }}};

std::string heading(const Distortion& kind) {
  return kind.note.empty() ? fmt::format("{} ({})", kind.name, kind.unit)
                           : fmt::format("{} ({}): {}", kind.name, kind.unit, kind.note);
}

// A table with one row for each strength, which holds the numbers of each configuration.
Table table_of_strengths(const RobustnessEvaluation& evaluation, const Distortion& kind) {
  Table table{.title = heading(kind), .header = {std::string(kind.name)}, .rows = {}};
  for (const Measure& measure : measures) {
    for (const Configuration& configuration : evaluation.configurations) {
      const std::string& name = configuration.name;
      table.header.push_back(evaluation.configurations.size() == 1 ? measure.header
                                                                   : fmt::format("{} {}", measure.header, name));
    }
  }
  for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:g}", kind.strengths[i])};
    for (const Measure& measure : measures) {
      for (std::size_t c = 0; c < evaluation.configurations.size(); ++c) {
        const Summary summary = summary_of(evaluation, c, kind, i);
        row.push_back(summary.pairs > 0 ? fmt::format("{:.1f}", measure.number(summary)) : "-");
      }
    }
    table.rows.push_back(row);
    for (std::size_t m = 0; m < std::size(measures); ++m) {
      mark_best_of_row(table, i, 1 + m * evaluation.configurations.size(),
                       1 + (m + 1) * evaluation.configurations.size(), Better::higher);
    }
  }
  return table;
}

// A small plot for each kind of change.
PagePlotGrid grid_of(const RobustnessEvaluation& evaluation) {
  PagePlotGrid grid{.caption = "Each mark is the mean over the photographs at one strength of the change."};
  for (const Measure& measure : measures) grid.choices.push_back({measure.plot, measure.label});
  std::swap(grid.choices[0], grid.choices[2]);  // configurations of one detector do not differ in repeatability
  for (const Distortion* kind : evaluation.kinds) grid.subjects.push_back({std::string(kind->name), heading(*kind)});
  return grid;
}

// The changed images of one photograph resemble each other, whatever the change. If there are too few photographs to
// draw them, those of one photograph under one change are drawn.
AlikePairs alike_pairs(const RobustnessEvaluation& evaluation) {
  std::map<std::filesystem::path, std::size_t> photographs;
  AlikePairs alike{.name = "photographs", .groups = {}};
  for (const ComparedPair& pair : evaluation.comparison.pairs) {
    const auto& file = evaluation.made.origins[pair.scene].photograph;
    alike.groups.push_back(photographs.emplace(file, photographs.size()).first->second);
  }
  if (photographs.size() >= MeanDifference::least_groups) return alike;
  return alike_by_scene(evaluation.comparison, "changes of a photograph");
}

// The first photograph that can be changed; empty if there is none.
Image first_photograph(const RobustnessEvaluation& evaluation) {
  for (const SceneOrigin& origin : evaluation.made.origins) {
    try {
      return undistorted(read_image(origin.photograph, evaluation.read).view());
    } catch (const Error&) {
      continue;  // it has changed since the comparison
    }
  }
  return {};
}

// A photograph under the least, the middle and the greatest strength of a change.
std::vector<PageImage> images_of_change(const Image& photograph, const Distortion& kind, std::uint64_t noise_seed) {
  constexpr int side = 360;  // [pixel]
  const std::size_t last = kind.strengths.size() - 1;
  // Fine effects, such as noise, show only if no pixel is left out.
  const bool is_fine = !kind.moves && kind.name != "contrast" && kind.name != "brightness";
  std::vector<PageImage> images;
  for (const std::size_t i : {std::size_t{0}, last / 2, last}) {
    try {
      const Image changed = distort(photograph.view(), kind.name, kind.strengths[i], noise_seed).image;
      const std::string caption =
          fmt::format("{} {:g}{}", kind.name, kind.strengths[i], is_fine ? ", the centre at full size" : "");
      images.push_back(is_fine ? io::page_image(centre_of(changed.view(), {side, side * 3 / 4}).view, caption)
                               : io::page_image(io::reduced(changed.view(), side).view(), caption));
    } catch (const Error&) {
      continue;  // the photograph is too small for this strength, as the problems say
    }
  }
  return images;
}

}  // namespace

std::vector<Table> robustness_tables(const RobustnessEvaluation& evaluation) {
  std::vector<Table> tables;
  for (const Distortion* kind : evaluation.kinds) tables.push_back(table_of_strengths(evaluation, *kind));
  return tables;
}

std::string robustness_json(const RobustnessEvaluation& evaluation) {
  auto configurations = Json::array();
  for (std::size_t c = 0; c < evaluation.configurations.size(); ++c) {
    Json configuration = as_json(evaluation.configurations[c]);
    configuration["curves"] = Json::array();
    for (const Distortion* kind : evaluation.kinds) {
      auto points = Json::array();
      for (std::size_t i = 0; i < kind->strengths.size(); ++i) {
        Json point{{"strength", kind->strengths[i]}};
        point.update(as_json(summary_of(evaluation, c, *kind, i)));
        points.push_back(point);
      }
      configuration["curves"].push_back({{"kind", kind->name}, {"unit", kind->unit}, {"points", points}});
    }
    configuration["pairs"] = Json::array();
    for (const ComparedPair& pair : evaluation.comparison.pairs) {
      const SceneOrigin& origin = evaluation.made.origins[pair.scene];
      const KnownScene& scene = evaluation.made.scenes[pair.scene];
      Json json{{"image_a", scene.first_name.path.string()},
                {"image_b", scene.others[pair.other].name.path.string()},
                {"photograph", origin.photograph.string()},
                {"kind", origin.distortion->name},
                {"strength", origin.distortion->strengths[pair.other]}};
      json.update(as_json(pair.scores[c]));
      configuration["pairs"].push_back(json);
    }
    configurations.push_back(configuration);
  }
  Json document{{"images", evaluation.images}, {"noise_seed", evaluation.noise_seed}};
  complete(document, evaluation.circumstances, configurations, evaluation.problems, evaluation.comparison.warnings);
  return json_text(document);
}

ReportPage robustness_page(const RobustnessEvaluation& evaluation) {
  const std::size_t photographs = evaluation.made.origins.size() / std::max<std::size_t>(1, evaluation.kinds.size());
  ReportPage page{.subject = PageSubject::robustness,
                  .title = "Robustness of keypoints and matches",
                  .json = robustness_json(evaluation)};
  const std::string words =
      fmt::format("{} of {}, {}. Shares are in percent. Numbers are means over the photographs.",
                  counted(evaluation.comparison.pairs.size(), "pair"), counted(photographs, "photograph"),
                  counted(evaluation.configurations.size(), "configuration"));
  const AlikePairs alike = alike_pairs(evaluation);
  PageSection overview{.heading = "Overview",
                       .id = "overview",
                       .conclusions = conclusions_of(evaluation.comparison, alike, evaluation.configurations),
                       .paragraphs = {words},
                       .grids = {grid_of(evaluation)}};
  add_notes(overview, evaluation.problems, evaluation.comparison.warnings);
  if (const Table table = difference_table(evaluation.comparison, alike, evaluation.configurations);
      !table.rows.empty()) {
    overview.paragraphs.emplace_back(
        "The conclusion is about all pairs. A difference that may be chance has the sign =. The definitions say how "
        "that is decided.");
    overview.tables.push_back(table);
  }
  page.sections.push_back(std::move(overview));
  const Image photograph = first_photograph(evaluation);
  for (const Distortion* kind : evaluation.kinds) {
    PageSection section{
        .heading = heading(*kind), .id = std::string(kind->name), .tables = {table_of_strengths(evaluation, *kind)}};
    section.tables.front().title.clear();
    if (!photograph.empty()) section.images = images_of_change(photograph, *kind, evaluation.noise_seed);
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back({.heading = "Configurations",
                           .id = "configurations",
                           .tables = {configurations_table(evaluation.configurations)},
                           .details = {options_of(evaluation.circumstances, evaluation.configurations)}});
  std::vector<PageDefinition> definitions = evaluation::definitions();
  if (evaluation.configurations.size() > 1) definitions.push_back({"=", method_of(alike)});
  page.sections.push_back({.heading = "Definitions",
                           .id = "definitions",
                           .paragraphs = {"Octavo's docs/evaluation.md has the details and the full references."},
                           .definitions = std::move(definitions)});
  return page;
}

}  // namespace octavo
