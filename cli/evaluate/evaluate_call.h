#pragma once

// What `octavo evaluate ROOT` and `octavo evaluate robustness` have in common: their options and the way to their end.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/detector.h"
#include "cli/evaluate/comparison.h"
#include "cli/evaluate/contender.h"
#include "cli/evaluate/setting.h"
#include "cli/report/html_page.h"
#include "cli/report/plots.h"
#include "octavo/device.h"
#include "octavo/geometry.h"

namespace octavo::cli {

struct EvaluateCall {
  bool apply_exif_rotation = true;
  bool json = false;
  bool covisible_only = false;
  std::string output;  ///< the page; empty: none
  std::string python = "python3";
  SettingWords words;
  DetectorOptions detector{.foagdd = {.describe = true}};
  MatchOptions match;
  RobustOptions robust;
  DeviceOptions device;
};

/// The options of both, less --features: what is only now made nobody has features of.
void add_evaluate_options(CLI::App& command, EvaluateCall& call);

/// The settings at work, after a look at what else the call says. Throws CLI::ValidationError, Error.
std::vector<Contender> contenders_of(const EvaluateCall& call);

/// Prints problems and warnings to the error stream; gives the exit code.
int complain_of(std::span<const std::string> problems, std::span<const std::string> warnings);

/// With which program, when and with which options for all settings alike, so that it can be done again.
nlohmann::ordered_json circumstances_of(const EvaluateCall& call);

/// Puts what both kinds of evaluation tell into a document that says what was evaluated: the circumstances, the
/// thresholds, the settings with their numbers, what went wrong.
void complete(nlohmann::ordered_json& document, const EvaluateCall& call, const nlohmann::ordered_json& settings,
              const std::vector<std::string>& problems, const std::vector<std::string>& warnings);

/// The indices' scores of one setting.
std::vector<PairScores> scores_of(const Comparison& comparison, std::size_t setting,
                                  std::span<const std::size_t> pairs);

/// A plot of a page, and the line below it.
struct CaptionedPlot {
  Plot plot;
  std::string caption;
};

/// The plots as figures of a page; none, where Python cannot draw them, which the page and the error stream then tell.
class Figures {
 public:
  Figures(HtmlPage& page, std::vector<CaptionedPlot> plots, const std::string& python);
  /// Puts so many of the plots onto the page, in their order.
  void add(std::size_t count);
  void add_all() { add(plots_.size() - next_); }

 private:
  HtmlPage& page_;
  std::vector<CaptionedPlot> plots_;
  std::vector<std::string> svg_;
  std::size_t next_ = 0;
};

/// The options of all and of each setting, behind a line that opens them.
void add_options(HtmlPage& page, const nlohmann::ordered_json& circumstances, std::span<const Contender> contenders);

/// What could not be evaluated, and what was with too little.
void add_complaints(HtmlPage& page, std::span<const std::string> problems, std::span<const std::string> warnings);

void add_evaluate_robustness(CLI::App& evaluate, int& exit_code);

}  // namespace octavo::cli
