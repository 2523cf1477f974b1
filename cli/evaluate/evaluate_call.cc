// What both kinds of evaluation have in common.

#include "cli/evaluate/evaluate_call.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <utility>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/report/page_file.h"

namespace octavo::cli {

void add_evaluate_options(CLI::App& command, EvaluateCall& call) {
  const std::string group = "Output options";
  command
      .add_option("-o,--output", call.output,
                  "Write a page with tables and plots (.html), that needs nothing but a browser, to this file.")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--python", call.python,
                  "The Python that draws the plots of the page, with matplotlib; without it the page has none.")
      ->type_name("PROGRAM")
      ->capture_default_str()
      ->group(group);
  command.add_flag("--json", call.json, "Print JSON instead of tables, see below.")->group(group);
  add_read_options(command, call.apply_exif_rotation);
  add_setting_option(command, call.words);
  add_detector_options(command, call.detector);
  add_match_options(command, call.match);
  add_robust_options(command, call.robust);
  add_device_options(command, call.device);
}

std::vector<Contender> contenders_of(const EvaluateCall& call) {
  validate(call.robust);
  if (!call.output.empty()) require_page_file("--output", call.output);
  std::vector<Contender> contenders;
  for (const Setting& setting : settings_of(call.words, call.detector, call.match)) {
    contenders.emplace_back(setting, call.device);
  }
  return contenders;
}

int complain_of(std::span<const std::string> problems, std::span<const std::string> warnings) {
  for (const std::string& problem : problems) complain(problem);
  for (const std::string& warning : warnings) complain("warning: " + warning);
  return problems.empty() ? exit_done : exit_failed;
}

nlohmann::ordered_json circumstances_of(const EvaluateCall& call) {
  const RobustOptions& robust = call.robust;
  using Method = RobustOptions::Method;
  const char* const method = robust.method == Method::magsac   ? "magsac"
                             : robust.method == Method::ransac ? "ransac"
                                                               : "prosac";
  return {{"octavo", OCTAVO_VERSION},
          {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))},
          {"exif_rotation", call.apply_exif_rotation},
          {"covisible_only", call.covisible_only},
          {"robust",
           {{"method", method},
            {"threshold", robust.threshold},
            {"confidence", robust.confidence},
            {"max_iterations", robust.max_iterations},
            {"seed", robust.seed}}}};
}

void complete(nlohmann::ordered_json& document, const EvaluateCall& call, const nlohmann::ordered_json& settings,
              const std::vector<std::string>& problems, const std::vector<std::string>& warnings) {
  std::vector<int> thresholds;
  for (std::size_t i = 1; i <= threshold_count; ++i) thresholds.push_back(static_cast<int>(i));
  document.update(circumstances_of(call));
  document.update({{"thresholds", thresholds}, {"settings", settings}, {"problems", problems}, {"warnings", warnings}});
}

std::vector<PairScores> scores_of(const Comparison& comparison, std::size_t setting,
                                  std::span<const std::size_t> pairs) {
  std::vector<PairScores> scores;
  for (const std::size_t i : pairs) scores.push_back(comparison.pairs[i].scores[setting]);
  return scores;
}

Figures::Figures(HtmlPage& page, std::vector<CaptionedPlot> plots, const std::string& python)
    : page_(page), plots_(std::move(plots)) {
  std::vector<Plot> bare;
  for (const CaptionedPlot& one : plots_) bare.push_back(one.plot);
  DrawnPlots drawn = draw_plots(bare, python);
  svg_ = std::move(drawn.svg);
  if (drawn.problem.empty()) return;
  complain("warning: the page has no plots: " + drawn.problem);
  page_.paragraph("There are no plots: " + drawn.problem + ".");
}

void Figures::add(std::size_t count) {
  for (const std::size_t end = std::min(next_ + count, svg_.size()); next_ < end; ++next_) {
    page_.figure(svg_[next_], plots_[next_].caption);
  }
}

void add_complaints(HtmlPage& page, std::span<const std::string> problems, std::span<const std::string> warnings) {
  for (const std::string& problem : problems) page.paragraph("Not evaluated: " + problem);
  for (const std::string& warning : warnings) page.paragraph("Warning: " + warning);
}

void add_options(HtmlPage& page, const nlohmann::ordered_json& circumstances, std::span<const Contender> contenders) {
  std::string text = json_text(circumstances) + "\n";
  for (const Contender& contender : contenders) text += json_text(as_json(contender.setting())) + "\n";
  page.details("Version, date and options", text);
}

}  // namespace octavo::cli
