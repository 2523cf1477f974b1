// octavo evaluate robustness: how much change keypoints and matches survive, on the user's own photographs.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/evaluate/metrics_text.h"
#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/text_file.h"
#include "octavo/dataset.h"
#include "octavo/distortion.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(compare settings on photographs that it changes

Turns, scales, shears and tilts each photograph, adds noise, blurs it, changes
its contrast and compresses it, more and more, and matches the photograph with
each of these. It tells how precision and matches fall with the strength of the
change.)";

const std::string footer = std::string(R"(Changes, each in some strengths:
  rotation     15 to 180 degrees       noise     sigma 2 to 40 grey levels
  scale        factor 0.25 to 4        blur      sigma 0.5 to 6 pixels
  shear        0.1 to 1 px per px      contrast  factor 1/16 to 2
  perspective  0.1 to 0.6, the change  jpeg      quality 90 to 10
               of scale from the centre to the edge
A changed picture shows nothing but the photograph: it is cut to the largest
rectangle of the photograph's proportions that the photograph fills. What it
does not show shall not count: keypoints of the photograph outside of it are
dropped, before --max-features counts them.

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
};

// What was done to which photograph; pairs of scenes in the same order.
struct Change {
  std::string photograph;
  const Distortion* kind = nullptr;
};

std::vector<const Distortion*> kinds_of(const Call& call) {
  std::vector<const Distortion*> kinds;
  for (const Distortion& kind : distortions()) {
    const bool wanted =
        call.kinds.empty() || std::find(call.kinds.begin(), call.kinds.end(), kind.name) != call.kinds.end();
    if (wanted) kinds.push_back(&kind);
  }
  return kinds;
}

// HPatches' name of a sequence: v for views, i for what light and camera do.
std::string folder_of(const fs::path& photograph, const Distortion& kind) {
  std::string name = (photograph.parent_path() / photograph.stem()).string();
  std::replace(name.begin(), name.end(), '/', '_');
  return fmt::format("{}_{}_{}", kind.moves ? "v" : "i", name, kind.name);
}

void save(const Call& call, const fs::path& name, const Image& image) {
  if (call.save.empty()) return;
  const fs::path file = fs::path(call.save) / name;
  make_folder(file.parent_path());
  write_image(file, image.view());
}

// What is too small for one change is too small for others: the sentence is about the photograph, and the same for all.
Distorted changed(const Image& image, const Distortion& kind, double strength, std::uint64_t seed,
                  const std::string& photograph) try {
  return distort(image.view(), kind.name, strength, seed);
} catch (const Error& error) {
  throw Error(ErrorCode::file_error, fmt::format("cannot use {}: {}", photograph, error.what()));
}

Scene scene_of(const Call& call, const Input& input, const Distortion& kind) {
  const fs::path folder = folder_of(input.name, kind);
  const std::string photograph = fmt::format("'{}'", input.file.string());
  const auto read = [&call, file = input.file] {
    return undistorted(read_image(file, call.apply_exif_rotation).view());
  };
  Scene scene{.name = folder.string(), .first_name = {folder / "1.png", photograph}, .first = {}, .others = {}};
  scene.first = [&call, read, path = scene.first_name.path] {
    Image image = read();
    save(call, path, image);
    return image;
  };
  for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
    const std::size_t number = i + 2;
    const fs::path path = folder / fmt::format("{}.png", number);
    const double strength = kind.strengths[i];
    const auto show = [=, &call, kind = &kind] {
      Distorted made = changed(read(), *kind, strength, call.noise_seed, photograph);
      save(call, path, made.image);
      if (!call.save.empty()) {
        write_homography(fs::path(call.save) / folder / fmt::format("H_1_{}", number), made.b_from_a);
      }
      return Scene::Shown{std::move(made.image), TrueHomography{made.b_from_a}};
    };
    scene.others.push_back({{path, fmt::format("{}, {} {:g}", photograph, kind.name, strength)}, show});
  }
  return scene;
}

// Everything that is told.
struct Result {
  const Call& call;
  const std::vector<const Distortion*>& kinds;
  const std::vector<Change>& changes;  ///< of the scenes
  const std::vector<Scene>& scenes;
  const std::vector<Contender>& contenders;
  const Comparison& comparison;

  double strength(const ComparedPair& pair) const { return changes[pair.scene].kind->strengths[pair.other]; }

  /// Over the photographs; the strength is the i-th of its kind.
  Summary summary(std::size_t setting, const Distortion& kind, std::size_t i) const {
    std::vector<std::size_t> pairs;
    for (std::size_t p = 0; p < comparison.pairs.size(); ++p) {
      const ComparedPair& pair = comparison.pairs[p];
      if (changes[pair.scene].kind == &kind && pair.other == i) pairs.push_back(p);
    }
    return summarise(scores_of(comparison, setting, pairs));
  }
};

nlohmann::ordered_json document_of(const Result& result, const std::vector<std::string>& problems) {
  auto settings = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    nlohmann::ordered_json setting = as_json(result.contenders[c].setting());
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
      const Change& change = result.changes[pair.scene];
      nlohmann::ordered_json json{{"image", result.scenes[pair.scene].others[pair.other].name.path.string()},
                                  {"photograph", change.photograph},
                                  {"kind", change.kind->name},
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

// A number that is told as a curve over the strength.
struct Told {
  const char* header;
  const char* name;
  double (*number)(const Summary&);
  double y_top;  ///< of its plot, as Plot has it
};
constexpr std::size_t at_three = correct_within - 1;
constexpr Told told[] = {
    {"repeatability", "repeatability at 3 px [%]", [](const Summary& s) { return 100 * s.repeatability[at_three]; },
     100},
    {"MMA", "mean matching accuracy at 3 px [%]", [](const Summary& s) { return 100 * s.matching_accuracy[at_three]; },
     100},
    {"precision", "precision at 3 px [%]", [](const Summary& s) { return 100 * s.precision[at_three]; }, 100},
    {"score", "matching score at 3 px [%]", [](const Summary& s) { return 100 * s.matching_score; }, 100},
    {"correct", "correct matches at 3 px", [](const Summary& s) { return s.correct[at_three]; }, 0}};

// A row for each strength, and in it each setting's numbers.
Table table_of(const Result& result, const Distortion& kind) {
  Table table{.header = {std::string(kind.name)}, .rows = {}};
  for (const Told& one : told) {
    for (const Contender& contender : result.contenders) {
      const std::string& name = contender.setting().name;
      table.header.push_back(result.contenders.size() == 1 ? one.header : fmt::format("{} {}", one.header, name));
    }
  }
  for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:g}", kind.strengths[i])};
    for (const Told& one : told) {
      for (std::size_t c = 0; c < result.contenders.size(); ++c) {
        const Summary summary = result.summary(c, kind, i);
        row.push_back(summary.pairs > 0 ? fmt::format("{:.1f}", one.number(summary)) : "-");
      }
    }
    table.rows.push_back(row);
  }
  return table;
}

std::string heading(const Distortion& kind) { return fmt::format("{} ({})", kind.name, kind.unit); }

CaptionedPlot plot_of(const Result& result, const Distortion& kind, const Told& one) {
  CaptionedPlot plot{.plot = {.title = fmt::format("{}: {}", kind.name, one.name),
                              .x_label = std::string(kind.unit),
                              .y_label = one.name,
                              .series = {},
                              .x_tick_values = {kind.strengths.begin(), kind.strengths.end()},
                              .y_top = one.y_top},
                     .caption = fmt::format("{}, mean over the photographs, at each strength.", one.header)};
  plot.plot.log_x = kind.name == "scale" || kind.name == "contrast";
  for (std::size_t c = 0; c < result.contenders.size(); ++c) {
    Series series{.label = result.contenders[c].setting().name, .x = {}, .y = {}};
    for (std::size_t i = 0; i < kind.strengths.size(); ++i) {
      const Summary summary = result.summary(c, kind, i);
      if (summary.pairs == 0) continue;
      series.x.push_back(kind.strengths[i]);
      series.y.push_back(one.number(summary));
    }
    plot.plot.series.push_back(series);
  }
  return plot;
}

std::string page_of(const Result& result, const std::vector<std::string>& problems) {
  HtmlPage page("Robustness of keypoints and matches");
  page.paragraph(
      fmt::format("{} pairs, {} settings. Shares are in percent, numbers means over the photographs; what "
                  "they mean is in Octavo's docs/evaluation.md.",
                  result.comparison.pairs.size(), result.contenders.size()));
  add_complaints(page, problems, result.comparison.warnings);
  std::vector<CaptionedPlot> plots;
  for (const Distortion* kind : result.kinds) {
    for (const Told& one : told) plots.push_back(plot_of(result, *kind, one));
  }
  Figures figures(page, std::move(plots), result.call.python);
  for (const Distortion* kind : result.kinds) {
    page.heading(heading(*kind));
    page.table(table_of(result, *kind));
    figures.add(std::size(told));
  }
  add_options(page, circumstances_of(result.call), result.contenders);
  return page.text();
}

int run(const Call& call) {
  std::vector<Contender> contenders = contenders_of(call);
  const Inputs inputs = find_inputs(call.images, false);
  const std::vector<const Distortion*> kinds = kinds_of(call);
  if (!call.save.empty()) make_folder(call.save);
  std::vector<Scene> scenes;
  std::vector<Change> changes;
  std::vector<std::string> names;
  std::vector<std::string> problems = inputs.problems;
  for (const Input& input : inputs.pictures) {
    try {
      read_image(input.file, call.apply_exif_rotation);  // so that one that cannot be read is told once, not per change
    } catch (const Error& error) {
      problems.emplace_back(error.what());
      continue;
    }
    for (const Distortion* kind : kinds) {
      scenes.push_back(scene_of(call, input, *kind));
      changes.push_back({input.file.string(), kind});
      names.push_back(scenes.back().name);
    }
  }
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    throw CLI::ValidationError("IMAGE",
                               fmt::format("two photographs would both be called {}; give them one call each", *twice));
  }
  const Comparison comparison = compare(scenes, contenders, call.robust, call.covisible_only);
  problems.insert(problems.end(), comparison.problems.begin(), comparison.problems.end());

  const Result result{call, kinds, changes, scenes, contenders, comparison};
  if (call.json) {
    fmt::print("{}\n", json_text(document_of(result, problems)));
  } else {
    for (const Distortion* kind : kinds) fmt::print("{}\n{}\n", heading(*kind), text_of(table_of(result, *kind)));
  }
  if (!call.output.empty()) write_text(call.output, page_of(result, problems));
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
                  fmt::format("The changes to make, with commas between: {}. Default: all.", fmt::join(names, ", ")))
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
