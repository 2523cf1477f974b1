#include "cli/smoothing_json.h"

namespace octavo::cli {

nlohmann::ordered_json smoothing_as_json(const SiftOptions& options) {
  if (options.smoothing == Smoothing::gaussian) return {{"smoothing", "gaussian"}};
  return {{"smoothing", "trilateral"},
          {"trilateral_schedule", options.trilateral_schedule == SmoothingSchedule::direct ? "direct" : "incremental"},
          {"trilateral_range", options.trilateral_range == TrilateralRange::contrast ? "contrast" : "gradients"},
          {"trilateral_window",
           options.trilateral_window == TrilateralWindow::power_of_two ? "power-of-two" : "certified"}};
}

}  // namespace octavo::cli
