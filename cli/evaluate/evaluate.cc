// octavo evaluate: how good keypoints, descriptors and matches are, on images whose relation is known.

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
#include "cli/text_file.h"
#include "octavo/dataset.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(compare settings on images whose relation is known

Finds and matches the keypoints of the images of a data set and compares them
with the truth: repeatability, matching accuracy, correct matches, precision and
homographies. Several settings of Octavo, and features of other programs, are
compared in one run, on the same pairs and at equal budgets (--max-features).
octavo evaluate robustness makes such images from photographs of your own.)";

const std::string footer = std::string(
                               R"(Data sets: ROOT is a sequence or has some anywhere below it. In one folder each:
  img1.ppm img2.ppm ... H1to2p ...   Oxford affine
  1.ppm 2.ppm ... H_1_2 ...          HPatches; i_NAME and v_NAME are told apart
  two images, correspondences.txt    lines x y in A, x y in B, and in .csv with
                                     commas; (0, 0) is the centre of a pixel
H files hold nine numbers, row by row, that map image 1 to image N. Images may
be of any format. What is missing or broken is told, and the rest evaluated.

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
Shares are 0 to 1 here; entry i of a list is for i + 1 px. Means of no pairs are
null.

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

std::vector<Scene> scenes_of(const Dataset& dataset, const Call& call) {
  const fs::path root = call.root;
  const auto reader = [&](const fs::path& path) {
    return [file = root / path, exif = call.apply_exif_rotation] { return read_image(file, exif); };
  };
  const auto named = [&](const fs::path& path) { return ImageName{path, fmt::format("'{}'", (root / path).string())}; };
  std::vector<Scene> scenes;
  for (const Sequence& sequence : dataset.sequences) {
    Scene scene{
        .name = sequence.name, .first_name = named(sequence.first), .first = reader(sequence.first), .others = {}};
    for (const TruePair& pair : sequence.others) {
      scene.others.push_back({named(pair.image), [read = reader(pair.image), truth = pair.truth] {
                                return Scene::Shown{read(), truth};
                              }});
    }
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

// Pairs that are told together.
struct Group {
  std::string name;
  std::vector<std::size_t> pairs;
};

// All pairs, and HPatches' two halves by the names of their sequences, where they are not all.
std::vector<Group> halves(const Comparison& comparison, const std::vector<Scene>& scenes) {
  std::vector<Group> groups{{"all", {}}, {"illumination", {}}, {"viewpoint", {}}};
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const std::string folder = fs::path(scenes[comparison.pairs[i].scene].name).filename().string();
    groups[0].pairs.push_back(i);
    if (folder.starts_with("i_")) groups[1].pairs.push_back(i);
    if (folder.starts_with("v_")) groups[2].pairs.push_back(i);
  }
  std::erase_if(groups, [&](const Group& group) {
    return group.name != "all" && (group.pairs.empty() || group.pairs.size() == comparison.pairs.size());
  });
  return groups;
}

std::vector<Group> by_sequence(const Comparison& comparison, const std::vector<Scene>& scenes) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const std::string& name = scenes[comparison.pairs[i].scene].name;
    if (groups.empty() || groups.back().name != name) groups.push_back({name, {}});
    groups.back().pairs.push_back(i);
  }
  return groups;
}

// Everything that is told.
struct Result {
  const Call& call;
  const std::vector<Scene>& scenes;
  const std::vector<Contender>& contenders;
  const Comparison& comparison;
  std::vector<Group> halves, sequences;

  Summary summary(std::size_t setting, const Group& group) const {
    return summarise(scores_of(comparison, setting, group.pairs));
  }
  std::vector<NamedSummary> summaries(const Group& group) const {
    std::vector<NamedSummary> all;
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      all.push_back({contenders[c].setting().name, summary(c, group)});
    }
    return all;
  }
};

std::string title(const Group& group) {
  const std::string name = group.name == "all" ? "All pairs" : group.name;
  return fmt::format("{} ({})", name, group.pairs.size());
}

nlohmann::ordered_json document_of(const Result& result, const std::vector<std::string>& problems) {
  auto settings = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    nlohmann::ordered_json setting = as_json(result.contenders[c].setting());
    for (const Group& group : result.halves) setting["summary"][group.name] = as_json(result.summary(c, group));
    setting["sequences"] = nlohmann::ordered_json::array();
    for (const Group& group : result.sequences) {
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

// A curve over the thresholds for each setting.
CaptionedPlot plot_over_thresholds(const Result& result, const Group& group, const std::string& name,
                                   Curve Summary::*curve, const std::string& caption) {
  CaptionedPlot plot{.plot = {.title = fmt::format("{}: {}", name, title(group)),
                              .x_label = "threshold [pixel]",
                              .y_label = name + " [%]",
                              .series = {},
                              .y_top = 100},
                     .caption = caption};
  for (const auto& [setting, summary] : result.summaries(group)) {
    Series series{.label = setting, .x = {}, .y = {}};
    for (std::size_t i = 0; i < threshold_count; ++i) {
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(100 * (summary.*curve)[i]);
    }
    plot.plot.series.push_back(series);
  }
  return plot;
}

// The share of pairs with a corner error of at most so much, for each setting: it rises by a step at each pair's error.
CaptionedPlot plot_of_homographies(const Result& result, const Group& group) {
  CaptionedPlot plot{.plot = {.title = fmt::format("homography accuracy: {}", title(group)),
                              .x_label = "threshold [pixel]",
                              .y_label = "homography accuracy [%]",
                              .series = {},
                              .y_top = 100},
                     .caption = "Pairs whose homography's mean corner error is within the threshold."};
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    std::vector<double> errors;
    for (const PairScores& pair : scores_of(result.comparison, c, group.pairs)) {
      if (pair.has_true_homography) errors.push_back(pair.corner_error);
    }
    std::sort(errors.begin(), errors.end());
    Series series{
        .label = result.contenders[c].setting().name, .x = {0}, .y = {100 * accuracy(errors, 0)}, .steps = true};
    const auto last = static_cast<double>(threshold_count);
    for (const double error : errors) {
      if (error >= last) break;
      series.x.push_back(error);
      series.y.push_back(100 * accuracy(errors, error));
    }
    series.x.push_back(last);
    series.y.push_back(100 * accuracy(errors, last));
    plot.plot.series.push_back(series);
  }
  return plot;
}

// A number at 3 pixels for each sequence and setting; a share's axis ends at y_top.
CaptionedPlot plot_over_sequences(const Result& result, const std::string& name, Curve Summary::*curve, double factor,
                                  double y_top, const std::string& caption) {
  CaptionedPlot plot{
      .plot = {.title = name + " by sequence", .x_label = "", .y_label = name, .series = {}, .y_top = y_top},
      .caption = caption};
  for (const Group& group : result.sequences) plot.plot.x_ticks.push_back(group.name);
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    Series series{.label = result.contenders[c].setting().name, .x = {}, .y = {}};
    for (const Group& group : result.sequences) {
      series.x.push_back(static_cast<double>(series.x.size()));
      series.y.push_back(factor * (result.summary(c, group).*curve)[correct_within - 1]);
    }
    plot.plot.series.push_back(series);
  }
  return plot;
}

std::vector<CaptionedPlot> plots_of(const Result& result) {
  std::vector<CaptionedPlot> plots;
  if (result.comparison.pairs.empty()) return plots;
  for (const Group& group : result.halves) {
    plots.push_back(
        plot_over_thresholds(result, group, "mean matching accuracy", &Summary::matching_accuracy,
                             "Mutual nearest neighbours within the threshold of the truth, mean over pairs."));
    plots.push_back(plot_over_thresholds(result, group, "repeatability", &Summary::repeatability,
                                         "Points in common with a point of the other image within the threshold."));
    if (result.summary(0, group).homographies > 0) {
      plots.push_back(plot_of_homographies(result, group));
    }
  }
  if (result.sequences.size() > 1) {
    plots.push_back(plot_over_sequences(result, "matching accuracy at 3 px [%]", &Summary::matching_accuracy, 100, 100,
                                        "Mean matching accuracy at 3 pixels of each sequence."));
    plots.push_back(plot_over_sequences(result, "correct matches at 3 px", &Summary::correct, 1, 0,
                                        "Matches within 3 pixels of the truth, mean over the pairs of each sequence."));
  }
  return plots;
}

std::string page_of(const Result& result, const std::vector<std::string>& problems) {
  HtmlPage page("Evaluation of " + result.call.root);
  page.paragraph(
      fmt::format("{} pairs of {} sequences, {} settings. Shares are in percent; what the numbers mean is in "
                  "Octavo's docs/evaluation.md.",
                  result.comparison.pairs.size(), result.sequences.size(), result.contenders.size()));
  add_complaints(page, problems, result.comparison.warnings);
  for (const Group& group : result.halves) {
    page.heading(title(group));
    for (const auto& [name, table] : tables_of(result.summaries(group), "setting")) {
      page.paragraph(name);
      page.table(table);
    }
  }
  page.heading("Plots");
  Figures(page, plots_of(result), result.call.python).add_all();
  page.heading("Sequences");
  for (const Group& group : result.sequences) {
    page.paragraph(title(group));
    page.table(tables_of(result.summaries(group), "setting").front().table);
  }
  add_options(page, circumstances_of(result.call), result.contenders);
  return page.text();
}

void print_tables(const Result& result) {
  for (const Group& group : result.halves) {
    for (const auto& [name, table] : tables_of(result.summaries(group), "setting")) {
      fmt::print("{}. {}\n{}\n", title(group), name, text_of(table));
    }
  }
  if (!result.call.per_sequence) return;
  for (const Group& group : result.sequences) {
    fmt::print("{}\n{}\n", title(group), text_of(tables_of(result.summaries(group), "setting").front().table));
  }
}

int run(const Call& call) {
  std::vector<Contender> contenders = contenders_of(call);
  const Dataset dataset = find_dataset(call.root);
  const std::vector<Scene> scenes = scenes_of(dataset, call);
  const Comparison comparison = compare(scenes, contenders, call.robust, call.covisible_only);
  std::vector<std::string> problems = dataset.problems;
  problems.insert(problems.end(), comparison.problems.begin(), comparison.problems.end());

  const Result result{
      call, scenes, contenders, comparison, halves(comparison, scenes), by_sequence(comparison, scenes)};
  if (call.json) {
    fmt::print("{}\n", json_text(document_of(result, problems)));
  } else {
    print_tables(result);
  }
  if (!call.output.empty()) write_text(call.output, page_of(result, problems));
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
                "Drop keypoints outside of what both images of a pair show, before --max-features counts them, as "
                "`octavo evaluate robustness` does. The numbers of the literature are without it.")
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
