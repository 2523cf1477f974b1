// octavo evaluate: measures the quality of keypoints, descriptors and matches on images whose relation is known.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/evaluate/metrics_text.h"
#include "cli/json_text.h"
#include "octavo/comparison.h"
#include "octavo/dataset.h"
#include "octavo/output_file.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(compare settings on images whose relation is known

Finds and matches the keypoints of the images of a data set and compares them
with the truth: repeatability, matching accuracy, correct matches, precision and
homographies. Several settings of Octavo, and features of other programs, are
compared in one run, on the same pairs and at equal budgets (--max-features).
octavo evaluate robustness makes such images from your own photographs.)";

const std::string footer = std::string(
                               R"(Data sets: ROOT is a sequence, or contains some at any depth. A folder holds:
  img1.ppm img2.ppm ... H1to2p ...   Oxford affine
  1.ppm 2.ppm ... H_1_2 ...          HPatches; i_NAME, v_NAME are reported apart
  two images, correspondences.txt    lines x y in A, x y in B; commas in .csv;
                                     (0, 0) is the centre of the first pixel
H files hold nine numbers, row by row, that map image 1 to image N. Images may
have any format that Octavo reads. The command reports files that are missing or
broken, and evaluates the rest.

)") + metrics_manual + R"(

JSON:
  {"root": "...", "octavo": "0.1.0", "date": "2026-11-21",
   "exif_rotation": true, "covisible_only": false,
   "robust": {"method", "threshold", "confidence", "max_iterations", "seed"},
   "thresholds": [1, ..., 10],
   "settings": [{"name": "octavo", "words": "as --setting gave them", ...,
     "summary": {"all": {"pairs": 5, "keypoints": 1985.5, "repeatability": [10
       numbers], "one_to_one", "mma": [...], "matches", "correct": [...],
       "precision": [...], "matching_score", "homographies",
       "homography_accuracy": [...], "homography_auc": [...]},
       "illumination": {...}, "viewpoint": {...}},
     "sequences": [{"name": "v_wall", ... as a summary}],
     "pairs": [{"sequence": "v_wall", "image": "v_wall/2.ppm", the counts and
       shares of the pair, "homography_b_from_a", "corner_error"}]}],
   "problems": ["..."], "warnings": ["..."]}
Shares are from 0 to 1. Entry i of a list is for i + 1 px. Means over no pairs
are null.

Examples:
  octavo evaluate hpatches/ --max-features 2000 -o report.html
  octavo evaluate graf/ --setting sift: --setting 'root: --descriptor rootsift'
  octavo evaluate graf/ --setting sift: --setting 'corners: --detector foagdd'
  octavo evaluate hpatches/ --features opencv=opencv_npz --max-features 2000

Exit codes:
  0  done
  1  something could not be evaluated, see the error stream; the rest is done
  2  the call was wrong)";

struct Call : EvaluateCall {
  std::string root;
  bool per_sequence = false;
};

// Everything that is reported.
struct Result {
  const Call& call;
  const std::vector<Scene>& scenes;
  const std::vector<Setting>& settings;
  const Comparison& comparison;
  std::vector<PairGroup> halves, sequences;

  Summary summary(std::size_t setting, const PairGroup& group) const {
    return summarise(comparison, setting, group.pairs);
  }
  std::vector<NamedSummary> summaries(const PairGroup& group) const {
    std::vector<NamedSummary> all;
    for (std::size_t c = 0; c < settings.size(); ++c) {
      all.push_back({settings[c].name, summary(c, group)});
    }
    return all;
  }
};

std::string title(const PairGroup& group) {
  const std::string name = group.name == "all" ? "All pairs" : group.name;
  return fmt::format("{} ({})", name, group.pairs.size());
}

nlohmann::ordered_json document_of(const Result& result, const std::vector<std::string>& problems) {
  auto settings = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < result.settings.size(); ++c) {
    nlohmann::ordered_json setting = as_json(result.settings[c]);
    for (const PairGroup& group : result.halves) setting["summary"][group.name] = as_json(result.summary(c, group));
    setting["sequences"] = nlohmann::ordered_json::array();
    for (const PairGroup& group : result.sequences) {
      nlohmann::ordered_json sequence{{"name", group.name}};
      sequence.update(as_json(result.summary(c, group)));
      setting["sequences"].push_back(sequence);
    }
    setting["pairs"] = nlohmann::ordered_json::array();
    for (const ComparedPair& pair : result.comparison.pairs) {
      const Scene& scene = result.scenes[pair.scene];
      nlohmann::ordered_json json{{"sequence", scene.name}, {"image", scene.others[pair.other].name.path.string()}};
      json.update(as_json(pair.scores[c]));
      setting["pairs"].push_back(json);
    }
    settings.push_back(setting);
  }
  nlohmann::ordered_json document{{"root", result.call.root}};
  complete(document, result.call, settings, problems, result.comparison.warnings);
  return document;
}

std::vector<PagePlot> plots_of(const Result& result) {
  std::vector<PagePlot> plots;
  if (result.comparison.pairs.empty()) return plots;
  for (const PairGroup& group : result.halves) {
    plots.push_back({.plot = "matching_accuracy",
                     .subject = group.name,
                     .title = "Mean matching accuracy: " + title(group),
                     .caption = "Mutual nearest neighbours within the threshold of the truth, mean over pairs."});
    plots.push_back({.plot = "repeatability",
                     .subject = group.name,
                     .title = "Repeatability: " + title(group),
                     .caption = "Points in common with a point of the other image within the threshold."});
    if (result.summary(0, group).homographies == 0) continue;
    plots.push_back({.plot = "homography_accuracy",
                     .subject = group.name,
                     .title = "Homography accuracy: " + title(group),
                     .caption = "Pairs whose homography's mean corner error is within the threshold."});
  }
  if (result.sequences.size() < 2) return plots;
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

ReportPage page_of(const Result& result, const std::vector<std::string>& problems) {
  ReportPage page{.subject = PageSubject::evaluation,
                  .title = "Evaluation of " + result.call.root,
                  .json = json_text(document_of(result, problems))};
  page.sections.push_back(
      {.paragraphs = {fmt::format(
           "{} pairs of {} sequences, {} settings. Shares are in percent; Octavo's docs/evaluation.md defines the "
           "numbers.",
           result.comparison.pairs.size(), result.sequences.size(), result.settings.size())},
       .notes = notes_of(problems, result.comparison.warnings)});
  for (const PairGroup& group : result.halves) {
    page.sections.push_back({.heading = title(group), .tables = tables_of(result.summaries(group), "setting")});
  }
  page.sections.push_back({.heading = "Plots", .plots = plots_of(result)});
  PageSection sequences{.heading = "Sequences"};
  for (const PairGroup& group : result.sequences) {
    sequences.tables.push_back(tables_of(result.summaries(group), "setting").front());
    sequences.tables.back().title = title(group);
  }
  sequences.details = {options_of(circumstances_of(result.call), result.settings)};
  page.sections.push_back(sequences);
  return page;
}

void print_tables(const Result& result) {
  for (const PairGroup& group : result.halves) {
    for (const Table& table : tables_of(result.summaries(group), "setting")) {
      fmt::print("{}. {}\n{}\n", title(group), table.title, text_of(table));
    }
  }
  if (!result.call.per_sequence) return;
  for (const PairGroup& group : result.sequences) {
    fmt::print("{}\n{}\n", title(group), text_of(tables_of(result.summaries(group), "setting").front()));
  }
}

int run(const Call& call) {
  const std::vector<Setting> settings = settings_of(call);
  Progress progress;
  std::vector<Contender> contenders = contenders_of(call, settings, progress);
  const Dataset dataset = find_dataset(call.root);
  const std::vector<Scene> scenes = scenes_of(dataset, call.root, call.read);
  const Comparison comparison = compare(call, scenes, contenders, progress);
  std::vector<std::string> problems = dataset.problems;
  problems.insert(problems.end(), comparison.problems.begin(), comparison.problems.end());

  const Result result{
      call, scenes, settings, comparison, groups_by_change(comparison, scenes), groups_by_scene(comparison, scenes)};
  if (call.json) {
    fmt::print("{}\n", json_text(document_of(result, problems)));
  } else {
    print_tables(result);
  }
  if (!call.output.empty()) {
    write_file(call.output, html_of(page_of(result, problems)));
    if (!call.json) fmt::print("page  {}\n", call.output);
  }
  return complain_of(problems, comparison.warnings);
}

}  // namespace

void add_evaluate(CLI::App& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "evaluate", description, footer);
  command.require_subcommand(0, 1);
  command.add_option("ROOT", call->root, "The folder of a data set, see below.")->type_name("DIR");
  command
      .add_flag("--covisible-only", call->covisible_only,
                "Drop keypoints outside the region that both images of a pair show, before --max-features counts "
                "them, as `octavo evaluate robustness` does. The numbers of the literature are without this option.")
      ->group("Selection options");
  command.add_flag("--per-sequence", call->per_sequence, "Print a table for each sequence too.")
      ->group("Output options");
  add_features_option(command, call->words);
  add_evaluate_options(command, *call);
  add_evaluate_robustness(command, exit_code);
  command.callback([call, &command, &exit_code] {
    if (!command.get_subcommands().empty()) return;
    if (call->root.empty()) throw CLI::RequiredError("ROOT");
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
