#pragma once

// What `octavo bench report` makes of its measurements: tables, plots, a page, JSON.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench_grid.h"
#include "cli/report/html_page.h"

namespace octavo::cli {

/// The circumstances without which a time is worth nothing.
struct BenchCircumstances {
  std::string image, version, date, machine;
  std::vector<std::pair<std::string, std::string>> contenders;  ///< name and description
  std::vector<std::string> absent;                              ///< sentences: who was to take part, and why not
  int rounds = 0, warmup = 0;
  double seconds = 0;
};

/// A row for each measurement: median, quartiles, extremes.
Table times_table(std::span<const GridResult> results);

/// {"image", "octavo", "date", "machine", "contenders", …, "results": […], "fits": […]}.
nlohmann::ordered_json report_json(const BenchCircumstances& circumstances, std::span<const GridResult> results);

/// The whole page; plots are drawn by `python`. Where they cannot be, the page says why, and so does `problem`.
std::string report_page(const BenchCircumstances& circumstances, std::span<const GridResult> results,
                        const std::string& python, std::string& problem);

}  // namespace octavo::cli
