#pragma once

#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/pages/report_page.h"
#include "octavo/progress.h"
#include "study/benchmark/benchmark.h"
#include "study/benchmark/work_benchmarks.h"

// The trilateral filter on several devices, as M. Sawada 2024 tabulates it: the time of each step (table 4.1), and of
// the last step on a CPU, on a GPU, and on a GPU that takes pixels in order of their windows (table 5.2).

namespace OCTAVO_INTERNAL_API octavo {

struct FilterComparison {
  /// The images, their sizes, the options and the timing. `device` holds the options besides its name and threads; the
  /// order is that of the implementations.
  FilterBenchmark filter;
  /// Names of implementations_of but "opencv". Empty: the CPU on one thread and on all, and every GPU.
  std::vector<std::string> devices{};
};

/// A device, on a GPU with one of the two orders.
struct FilterImplementation {
  std::string name;  ///< "cpu, 1 thread", "cuda:0, in rows", "cuda:0, by windows"
  std::string device;
  TrilateralOrder order = TrilateralOrder::windows;
  bool is_gpu = false;
};

/// The times of an implementation on an image in one size.
struct FilterTimes {
  std::size_t implementation = 0;  ///< index
  std::string image;
  ImageSize size;
  double taps = 0;  ///< of a mean window
  JobTimes times;

  [[nodiscard]] double step(std::string_view stage) const;  ///< [ms] 0 for one that it does not have
  /// [ms] The sums of windows; where pixels are put in order for them, with that.
  [[nodiscard]] double last_step(TrilateralOrder order) const;
};

struct FilterMeasurements {
  std::string version{}, date{}, machine{};  ///< set by the caller
  FilterBenchmark filter;
  std::vector<FilterImplementation> implementations{};
  std::vector<FilterTimes> times{};  ///< by sizes, images, implementations
};

/// Times the filter. At each size the implementations take turns. Throws as measure_filter, and Error(invalid_option)
/// that names `devices`.
FilterMeasurements compare_filters(const FilterComparison& comparison, const ProgressSink& progress = {});

/// The last step: a row for each size and image, with the gain of each GPU and of the order. The steps: a row for each
/// of the times.
Table last_step_table(const FilterMeasurements& measured);
Table steps_table(const FilterMeasurements& measured);

/// One JSON object. The manual of `octavo bench filter` has all of it.
std::string filter_tables_json(const FilterMeasurements& measured);

/// A page with both tables and a plot of the last step by size.
ReportPage filter_page(const FilterMeasurements& measured);

}  // namespace octavo
