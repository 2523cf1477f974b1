#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"
#include "octavo/sift_options.h"
#include "octavo/trilateral.h"
#include "study/benchmark/timed_work.h"

// How long extraction, filtering and matching take. Each reads or makes its input before the clock starts, tells
// `progress` what it works on, and throws Error(file_error) for an image that cannot be read, Error(invalid_option) and
// Error(device_unavailable).

namespace OCTAVO_INTERNAL_API octavo {

/// Images in some sizes.
struct BenchmarkInput {
  std::vector<std::string> places;  ///< files, folders, patterns (find_images)
  ReadOptions read{};
  std::vector<ImageSize> sizes{};  ///< to which they are scaled and cropped (resize_and_crop); empty: their own
};

struct ExtractionBenchmark {
  BenchmarkInput input;
  bool is_stream = false;  ///< a stream of images, whose time is that of one; otherwise one image at a time, and stages
  int in_flight = 4;       ///< of a stream: images that are submitted and not yet collected
  int stream = 32;         ///< of a stream: their number; the images repeat
  DetectorOptions detector{};
  TimingOptions timing{};
  DeviceOptions device{};
};
WorkReport measure_extraction(const ExtractionBenchmark& benchmark, const ProgressSink& progress = {});

/// The filter, its steps, and the work of its windows (TrilateralWork).
struct FilterBenchmark {
  BenchmarkInput input;
  TrilateralOptions options{};
  TimingOptions timing{};
  DeviceOptions device{};
};
WorkReport measure_filter(const FilterBenchmark& benchmark, const ProgressSink& progress = {});

struct MatchBenchmark {
  std::vector<std::filesystem::path> images{};              ///< two, whose descriptors are matched; empty: random ones
  ReadOptions read{};                                       ///< of the images
  std::vector<int> descriptor_counts = {1024, 4096, 8192};  ///< of random descriptors
  std::uint32_t seed = 1;                                   ///< of these
  bool whole = false;  ///< all steps of Matcher::match, otherwise the search for the two nearest neighbours alone
  MatchOptions match{};
  SiftOptions sift{};
  TimingOptions timing{};
  DeviceOptions device{};
};
WorkReport measure_matching(const MatchBenchmark& benchmark, const ProgressSink& progress = {});

}  // namespace octavo
