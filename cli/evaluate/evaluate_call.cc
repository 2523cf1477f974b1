// What both kinds of evaluation have in common.

#include "cli/evaluate/evaluate_call.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/options.h"

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
  add_sift_options(command, call.sift);
  add_match_options(command, call.match);
  add_robust_options(command, call.robust);
  add_device_options(command, call.device);
}

std::vector<Contender> contenders_of(const EvaluateCall& call) {
  validate(call.robust);
  std::vector<Contender> contenders;
  for (const Setting& setting : settings_of(call.words, call.sift, call.match)) {
    contenders.emplace_back(setting, call.device);
  }
  return contenders;
}

int complain_of(std::span<const std::string> problems, std::span<const Contender> contenders) {
  for (const std::string& problem : problems) complain(problem);
  for (const Contender& contender : contenders) {
    if (const std::string shortage = contender.shortage(); !shortage.empty()) complain("warning: " + shortage);
  }
  return problems.empty() ? exit_done : exit_failed;
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

void add_settings(HtmlPage& page, std::span<const Contender> contenders) {
  std::string text;
  for (const Contender& contender : contenders) text += as_json(contender.setting()).dump() + "\n";
  page.details("Options of the settings", text);
}

}  // namespace octavo::cli
