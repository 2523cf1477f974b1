#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "octavo/benchmark.h"
#include "octavo/report_page.h"

// The measurements of measure_grid() as a table, as JSON and as a page with plots.

namespace octavo {

/// The circumstances of a measurement, as words. A time has no meaning without them.
struct BenchmarkCircumstances {
  std::string image, version, date, machine;
  std::vector<std::pair<std::string, std::string>> contenders;  ///< name and description, in the order of the page
  std::vector<std::string> absent;                              ///< a sentence for each absent contender: the reason
  TimingOptions timing{};
  double seconds = 0;  ///< BenchmarkGrid::seconds
};

/// One row for each measurement: median, quartiles, extremes.
Table times_table(std::span<const GridResult> results);

/// One JSON object: {"image", "octavo", "date", "machine", "contenders", …, "results": […], "fits": […]}. The manual of
/// `octavo bench report` has all of it. Bytes that are not UTF-8 become U+FFFD.
std::string benchmark_json(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

/// The page with all tables and plots. `results` must not be empty.
ReportPage benchmark_page(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

}  // namespace octavo
