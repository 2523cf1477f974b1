// octavo evaluate robustness: measures how keypoints and matches withstand changes of the user's own photographs.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/evaluate/metrics_text.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "octavo/distortion.h"
#include "octavo/error.h"
#include "octavo/output_file.h"
#include "octavo/pictures.h"
#include "octavo/robustness.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(compare settings on photographs that it changes

Rotates, scales, shears and tilts each photograph, adds noise, blurs it, changes
its contrast and compresses it, each at increasing strengths, and matches the
photograph with every changed picture. Reports how precision and the number of
matches fall with the strength of the change.)";

const std::string footer = std::string(R"(Changes, each at several strengths:
  rotation     15 to 180 degrees       noise     sigma 2 to 40 grey levels
  scale        factor 0.25 to 4        blur      sigma 0.5 to 6 pixels
  shear        0.1 to 1 px per px      contrast  factor 1/16 to 2
  perspective  0.1 to 0.6, the change  jpeg      quality 90 to 10
               of scale from the centre to the edge
A changed picture shows nothing but the photograph: it is cropped to the largest
rectangle of the photograph's proportions that the photograph fills. Keypoints
of the photograph that the changed picture does not show are dropped before
--max-features counts them.

)") + metrics_manual + R"(

JSON:
  {"images": ["photo.jpg"], "noise_seed": 0, "octavo": "0.1.0",
   ... as `octavo evaluate` has it, "thresholds": [1, ..., 10],
   "settings": [{"name": "octavo", ...,
     "curves": [{"kind": "rotation", "unit": "degrees", "points": [
       {"strength": 15, "pairs": 1, "keypoints", "repeatability": [10 numbers],
        ... as `octavo evaluate` has it in a summary}]}],
     "pairs": [{"image": "v_photo_rotation/2.png", "photograph": "photo.jpg",
       "kind": "rotation", "strength": 15, ... as there}]}],
   "problems": ["..."], "warnings": ["..."]}

Examples:
  octavo evaluate robustness photo.jpg --max-features 1000
  octavo evaluate robustness photos/*.jpg --kinds rotation,scale -o report.html
  octavo evaluate robustness photo.jpg --save made
  octavo evaluate made --covisible-only      # has the same numbers

Exit codes:
  0  done
  1  something could not be evaluated, see the error stream; the rest is done
  2  the call was wrong)";

struct Call : EvaluateCall {
  std::vector<std::string> images;
  std::vector<std::string> kinds;
  std::string save;
  std::uint64_t noise_seed = 0;

  [[nodiscard]] RobustnessOptions robustness_options() const {
    return {.distortions = kinds, .noise_seed = noise_seed, .read = read, .save = save};
  }
};

// Everything that is reported.
struct Result {
  const Call& call;
  const std::vector<const Distortion*>& kinds;
  const DistortedScenes& made;
  const std::vector<Setting>& settings;
  const Comparison& comparison;

  double strength(const ComparedPair& pair) const { return made.origins[pair.scene].distortion->strengths[pair.other]; }

  // The summary over all photographs, at the i-th strength of this kind.
  Summary summary(std::size_t setting, const Distortion& kind, std::size_t i) const {
    return summarise(comparison, setting, pairs_at(comparison, made, kind, i));
  }
};

nlohmann::ordered_json document_of(const Result& result, const std::vector<std::string>& problems) {
  auto settings = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < result.settings.size(); ++c) {
    nlohmann::ordered_json setting = as_json(result.settings[c]);
    setting["curves"] = nlohmann::ordered_json::array();
    for (const Distortion* kind : result.kinds) {
      auto points = nlohmann::ordered_json::array();
      for (std::size_t i = 0; i < kind->strengths.size(); ++i) {
        nlohmann::ordered_json point{{"strength", kind->strengths[i]}};
        point.update(as_json(result.summary(c, *kind, i)));
        points.push_back(point);
      }
      setting["curves"].push_back({{"kind", kind->name}, {"unit", kind->unit}, {"points", points}});
    }
    setting["pairs"] = nlohmann::ordered_json::array();
    for (const ComparedPair& pair : result.comparison.pairs) {
      const SceneOrigin& origin = result.made.origins[pair.scene];
      nlohmann::ordered_json json{{"image", result.made.scenes[pair.scene].others[pair.other].name.path.string()},
                                  {"photograph", origin.photograph.string()},
                                  {"kind", origin.distortion->name},
                                  {"strength", result.strength(pair)}};
      json.update(as_json(pair.scores[c]));
      setting["pairs"].push_back(json);
    }
    settings.push_back(setting);
  }
  nlohmann::ordered_json document{{"images", result.call.images}, {"noise_seed", result.call.noise_seed}};
  complete(document, result.call, settings, problems, result.comparison.warnings);
  return document;
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

// A table with one row for each strength, which holds the numbers of each setting.
Table table_of(const Result& result, const Distortion& kind) {
  Table table{.header = {std::string(kind.name)}, .rows = {}};
  for (const Measure& measure : measures) {
    for (const Setting& setting : result.settings) {
      const std::string& name = setting.name;
      table.header.push_back(result.settings.size() == 1 ? measure.header : fmt::format("{} {}", measure.header, name));
    }
  }
  for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:g}", kind.strengths[i])};
    for (const Measure& measure : measures) {
      for (std::size_t c = 0; c < result.settings.size(); ++c) {
        const Summary summary = result.summary(c, kind, i);
        row.push_back(summary.pairs > 0 ? fmt::format("{:.1f}", measure.number(summary)) : "-");
      }
    }
    table.rows.push_back(row);
  }
  return table;
}

std::string heading(const Distortion& kind) { return fmt::format("{} ({})", kind.name, kind.unit); }

ReportPage page_of(const Result& result, const std::vector<std::string>& problems) {
  ReportPage page{.subject = PageSubject::robustness,
                  .title = "Robustness of keypoints and matches",
                  .json = json_text(document_of(result, problems))};
  page.sections.push_back(
      {.paragraphs = {fmt::format("{} pairs, {} settings. Shares are in percent, numbers are means over the "
                                  "photographs; Octavo's docs/evaluation.md defines them.",
                                  result.comparison.pairs.size(), result.settings.size())},
       .notes = notes_of(problems, result.comparison.warnings)});
  for (const Distortion* kind : result.kinds) {
    PageSection section{.heading = heading(*kind), .tables = {table_of(result, *kind)}};
    for (const Measure& measure : measures) {
      section.plots.push_back({.plot = measure.plot,
                               .subject = std::string(kind->name),
                               .title = fmt::format("{}: {}", kind->name, measure.header),
                               .caption = "Mean over the photographs at each strength."});
    }
    page.sections.push_back(section);
  }
  page.sections.push_back({.details = {options_of(circumstances_of(result.call), result.settings)}});
  return page;
}

// Makes the scenes. Two photographs of the same name are a wrong call.
DistortedScenes scenes_of(const PictureFiles& photographs, const Call& call) try {
  return distorted_scenes(photographs.pictures, call.robustness_options());
} catch (const Error& error) {
  if (error.code() != ErrorCode::invalid_argument) throw;
  throw CLI::ValidationError("IMAGE", error.what());
}

void require_other_page(const Call& call, const std::vector<PictureFile>& photographs) {
  std::vector<std::filesystem::path> read;
  for (const PictureFile& photograph : photographs) read.push_back(photograph.file);
  require_not_read(std::array<std::filesystem::path, 1>{call.output}, read);
}

int run(const Call& call) {
  const std::vector<Setting> settings = settings_of(call);
  if (!call.save.empty()) require_writable_folder(call.save);
  Progress progress;
  std::vector<Contender> contenders = contenders_of(call, settings, progress);
  const PictureFiles photographs = find_pictures(call.images);
  require_other_page(call, photographs.pictures);
  const std::vector<const Distortion*> kinds = distortions_of(call.robustness_options());
  progress.show("photographs");
  const DistortedScenes made = scenes_of(photographs, call);
  const Comparison comparison = compare(call, made.scenes, contenders, progress);
  std::vector<std::string> problems = photographs.problems;
  problems.insert(problems.end(), made.problems.begin(), made.problems.end());
  problems.insert(problems.end(), comparison.problems.begin(), comparison.problems.end());

  const Result result{call, kinds, made, settings, comparison};
  if (call.json) {
    fmt::print("{}\n", json_text(document_of(result, problems)));
  } else {
    for (const Distortion* kind : kinds) fmt::print("{}\n{}\n", heading(*kind), text_of(table_of(result, *kind)));
  }
  if (!call.output.empty()) {
    write_file(call.output, html_of(page_of(result, problems)));
    if (!call.json) fmt::print("page  {}\n", call.output);
  }
  return complain_of(problems, comparison.warnings);
}

}  // namespace

void add_evaluate_robustness(CLI::App& evaluate, int& exit_code) {
  const auto call = std::make_shared<Call>();
  call->covisible_only = true;
  CLI::App& command = add_command(evaluate, "robustness", description, footer);
  command.add_option("IMAGE", call->images, "Photographs, folders of them, or quoted patterns.")
      ->required()
      ->type_name("FILE");
  std::vector<std::string> names;
  for (const Distortion& kind : distortions()) names.emplace_back(kind.name);
  command
      .add_option("--kinds", call->kinds,
                  fmt::format("The changes to make, separated by commas: {}. Default: all.", fmt::join(names, ", ")))
      ->type_name("KIND,...")
      ->delimiter(',')
      ->check(CLI::IsMember(names).description(""));
  command
      .add_option("--save", call->save,
                  "Write the pictures and their homographies to this folder, as a data set for `octavo evaluate`.")
      ->type_name("DIR")
      ->group("Output options");
  add_number(command, "--noise-seed", call->noise_seed, "N",
             "Seed of the noise; the same seed gives the same pictures.");
  add_evaluate_options(command, *call);
  command.callback([call, &evaluate, &exit_code] {
    for (const CLI::Option* option : evaluate.get_options()) {
      if (option->count() > 0) {
        throw CLI::ValidationError(option->get_name(), "stands before robustness, but must stand behind it");
      }
    }
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
