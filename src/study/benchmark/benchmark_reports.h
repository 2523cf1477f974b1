#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/device.h"
#include "octavo/io/image_formats.h"
#include "octavo/progress.h"
#include "study/benchmark/benchmark.h"
#include "study/benchmark/filter_tables.h"
#include "study/benchmark/named_implementation.h"
#include "study/benchmark/pyramid_benchmark.h"

// Measurements of images from files to JSON, text and a page: what `octavo bench` prints and writes. Each throws,
// before the work, Error(invalid_option) for a page that has the name of an input or another ending, and
// Error(file_error) for one that cannot be written; then what the measurement throws.

namespace OCTAVO_INTERNAL_API octavo {

/// What is told of a measurement.
struct BenchmarkReport {
  std::string json, text;
  bool is_measured = true;  ///< false: no implementation could do the work
};

/// Implementations over images, sizes and numbers of keypoints.
struct GridReportJob {
  std::vector<std::string> places;  ///< as find_images takes them
  ReadOptions read{};
  bool chessboard = false;             ///< benchmark_chessboard too
  std::vector<std::string> devices{};  ///< of implementations_of
  BenchmarkGrid grid{};
  TimingOptions timing{};
  ImplementationWork work{};
  DeviceOptions device{};
  std::filesystem::path page{};  ///< empty: none
};

/// Also throws Error(invalid_argument) for two images of one name, whose times cannot be told apart.
BenchmarkReport report_grid(const GridReportJob& job, const ProgressSink& progress = {});

/// Pyramids of an image.
struct PyramidReportJob {
  std::filesystem::path image{};  ///< empty: noise, of the first of the sizes, or of 1920 x 1080
  ReadOptions read{};
  PyramidBenchmark benchmark{};
  DeviceOptions device{};
  std::filesystem::path plot{};  ///< .html, .htm or .svg; empty: none
};
BenchmarkReport report_pyramids(const PyramidReportJob& job, const ProgressSink& progress = {});

/// The filter on several devices.
struct FilterReportJob {
  FilterComparison comparison;
  std::filesystem::path page{};
};
BenchmarkReport report_filters(const FilterReportJob& job, const ProgressSink& progress = {});

}  // namespace octavo
