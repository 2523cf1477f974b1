#pragma once

// What `octavo evaluate ROOT` and `octavo evaluate robustness` have in common: their options and the way to their end.

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

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
  std::string output;  ///< the page; empty: none
  std::string python = "python3";
  SettingWords words;
  SiftOptions sift;
  MatchOptions match;
  RobustOptions robust;
  DeviceOptions device;
};

/// The options of both, less --features: what is only now made nobody has features of.
void add_evaluate_options(CLI::App& command, EvaluateCall& call);

/// The settings at work. Throws CLI::ValidationError, Error.
std::vector<Contender> contenders_of(const EvaluateCall& call);

/// Prints warnings and problems to the error stream; gives the exit code.
int complain_of(std::span<const std::string> problems, std::span<const Contender> contenders);

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

/// The settings' options, behind a line that opens them.
void add_settings(HtmlPage& page, std::span<const Contender> contenders);

void add_evaluate_robustness(CLI::App& evaluate, int& exit_code);

}  // namespace octavo::cli
