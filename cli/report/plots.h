#pragma once

// Plots in SVG. They are drawn by matplotlib, if the Python of this machine has it: the program needs neither to run.

#include <span>
#include <string>
#include <vector>

namespace octavo::cli {

/// A line of a plot, or a cloud of points.
struct Series {
  std::string label;
  std::vector<double> x, y;           ///< of one length; not finite: a gap
  std::vector<double> low{}, high{};  ///< of the same length: a band around the line; empty: none
  bool marks_only = false;            ///< points, not a line
  bool steps = false;                 ///< level from each point to the next one's x, without marks
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool log_x = false, log_y = false;
  std::vector<std::string> x_ticks{};   ///< names of x = 0, 1, 2 …; empty: numbers
  std::vector<double> x_tick_values{};  ///< the x that are named, by themselves; empty: as they suit
  double y_top = 0;                     ///< the y axis goes from 0 to here; 0: as far as the numbers do
};

/// The plots as SVG, or why there are none.
struct DrawnPlots {
  std::vector<std::string> svg;  ///< one for each plot, or none at all
  std::string problem;           ///< one sentence; empty where they were drawn
};

/// Draws with the program `python`, usually "python3". The same plots give the same bytes with the same matplotlib.
DrawnPlots draw_plots(std::span<const Plot> plots, const std::string& python);

}  // namespace octavo::cli
