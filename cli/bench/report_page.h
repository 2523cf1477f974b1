#pragma once

// The results of `octavo bench report` as tables, plots, a page and JSON.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "octavo/benchmark.h"
#include "octavo/report_page.h"

namespace octavo::cli {

/// The circumstances of a measurement. A time has no meaning without them.
struct BenchCircumstances {
  std::string image, version, date, machine;
  std::vector<std::pair<std::string, std::string>> contenders;  ///< name and description
  std::vector<std::string> absent;                              ///< a sentence for each absent contender: the reason
  int rounds = 0, warmup = 0;
  double seconds = 0;
};

/// One row for each measurement: median, quartiles, extremes.
Table times_table(std::span<const GridResult> results);

/// {"image", "octavo", "date", "machine", "contenders", …, "results": […], "fits": […]}.
nlohmann::ordered_json report_json(const BenchCircumstances& circumstances, std::span<const GridResult> results);

/// The page with all tables and plots.
ReportPage report_page(const BenchCircumstances& circumstances, std::span<const GridResult> results);

}  // namespace octavo::cli
