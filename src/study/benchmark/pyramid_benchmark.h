#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/pages/report_page.h"
#include "octavo/io/image_formats.h"
#include "octavo/pyramid.h"
#include "study/benchmark/benchmark.h"

// How long pyramids take: grey, blurs and differences, without a search for keypoints. Every iteration is kept, for the
// plot of the times that tsp 2023 has.

namespace OCTAVO_INTERNAL_API octavo {

/// What is measured: an image in some sizes, with grey made in some places.
struct PyramidBenchmark {
  SiftOptions scale_space{};
  std::vector<ImageSize> sizes{};                          ///< empty: the image's own size
  std::vector<GreyOn> grey{GreyOn::device, GreyOn::host};  ///< at least one
  TimingOptions timing{.rounds = 500, .warmup = 3};
};

/// The times of one size, one place of grey and one extent of the work.
struct PyramidTimes {
  ImageSize size;
  GreyOn grey = GreyOn::device;
  /// True: the wall time from pixels in host memory to the whole pyramid where it is made; on a GPU this includes the
  /// upload. False: the work on the GPU alone, by its own clock, without grey on the host and upload.
  bool whole = true;
  std::vector<double> milliseconds;  ///< of each iteration, in order; at least one
  std::vector<StageTime> stages;     ///< the median of each stage, over iterations of their own

  /// "1920x1080, grey on the host, with upload": what people call it. `on_gpu`: the device is a GPU.
  [[nodiscard]] std::string name(bool on_gpu) const;
};

/// The measurements and what they depend on, as words.
struct PyramidMeasurements {
  std::string image{}, version{}, date{}, machine{};  ///< set by the caller
  std::string device, isa;
  int threads = 1;
  bool on_gpu = false;
  PyramidBenchmark benchmark;
  std::vector<PyramidTimes> times;
};

/// Reads the image, scales and cuts it to each of the sizes (resize_and_crop) and times its pyramids on the device. All
/// take turns in every round. Without an image (empty) it is coloured noise (u8, RGB), the same each time, of the first
/// of the sizes; times do not depend on the content. Throws Error(invalid_option), and what read_image, Pyramid and
/// resize_and_crop throw.
PyramidMeasurements measure_pyramids(const std::filesystem::path& image, const ReadOptions& read,
                                     const PyramidBenchmark& benchmark, const DeviceOptions& device,
                                     const ProgressSink& progress = {});

/// One row for each of the times: median, quartiles, extremes.
Table pyramid_times_table(const PyramidMeasurements& measured);

/// One row for each stage.
Table pyramid_stages_table(const PyramidMeasurements& measured);

/// One JSON object. The manual of `octavo bench pyramid` has all of it.
std::string pyramid_json(const PyramidMeasurements& measured);

/// A page with the tables and a plot of every iteration for each of the times.
ReportPage pyramid_page(const PyramidMeasurements& measured);

/// The plots as one image (SVG): each iteration is a dot; lines mark the median, the average and the quartiles.
std::string pyramid_svg(const PyramidMeasurements& measured);

}  // namespace octavo
