#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/pages/report_page.h"
#include "study/benchmark/benchmark.h"

// The measurements of measure_grid() as a table, as JSON and as a page with plots.

namespace OCTAVO_INTERNAL_API octavo {

/// The circumstances of a measurement, as words. A time has no meaning without them.
struct BenchmarkCircumstances {
  std::string version, date, machine;
  std::string detector = "SIFT";                            ///< whose points are found: DetectorFacts::title
  bool exact = false;                                       ///< budgets are numbers to reach, not to keep at most
  std::vector<std::pair<std::string, std::string>> images;  ///< BenchmarkImage::name and pixels, in order
  std::vector<ImplementationFacts> implementations;         ///< in the order of the page
  std::vector<AbsentImplementation> absent;
  TimingOptions timing{};
  double seconds = 0;  ///< BenchmarkGrid::seconds
};

/// A sentence for each image, size and budget where the budget is exact and the image has fewer points.
std::vector<std::string> shortages(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

/// One row for each measurement: median, quartiles, extremes, estimated memory.
Table times_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

/// One row for each image, size and budget: the fastest of Octavo's implementations, but the plain loops, and how it
/// compares with the CPU on one thread, on the most threads, and with OpenCV on the most threads, where these took
/// part. No rows where Octavo took no part.
Table speed_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

/// The time of every stage and of the whole by size, for every image and implementation, at the largest budget. No rows
/// where no implementation knows its stages.
Table stage_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

/// One JSON object: {"detector", "images", "octavo", "date", "machine", "implementations", …, "results": […], "fits":
/// […]}. The manual of `octavo bench report` has all of it. Bytes that are not UTF-8 become U+FFFD.
std::string benchmark_json(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

/// The page with all tables and plots. Without results it has no plots, and says why each implementation was not
/// measured.
ReportPage benchmark_page(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results);

}  // namespace octavo
