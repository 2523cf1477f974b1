// The plots travel to a Python script (plots.py) as JSON and come back as SVG.

#include "cli/report/plots.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/report/python_script.h"

namespace octavo {

extern const std::string_view plots_py;

namespace cli {
namespace {

// Numbers that are not finite become null, as JSON wants it.
nlohmann::json as_json(const Plot& plot) {
  auto series = nlohmann::json::array();
  for (const Series& one : plot.series) {
    series.push_back({{"label", one.label},
                      {"x", one.x},
                      {"y", one.y},
                      {"low", one.low},
                      {"high", one.high},
                      {"marks_only", one.marks_only},
                      {"steps", one.steps}});
  }
  return {{"title", plot.title},
          {"x_label", plot.x_label},
          {"y_label", plot.y_label},
          {"log_x", plot.log_x},
          {"log_y", plot.log_y},
          {"x_ticks", plot.x_ticks},
          {"x_tick_values", plot.x_tick_values},
          {"y_top", plot.y_top},
          {"series", series}};
}

}  // namespace

DrawnPlots draw_plots(std::span<const Plot> plots, const std::string& python) {
  DrawnPlots drawn;
  try {
    PythonScript script(python, "plots", plots_py);
    for (const Plot& plot : plots) drawn.svg.push_back(script.ask(as_json(plot)).at("svg").get<std::string>());
  } catch (const PythonFailure& failure) {
    drawn = {.svg = {}, .problem = failure.what()};
  }
  return drawn;
}

}  // namespace cli
}  // namespace octavo
