#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/progress.h"
#include "octavo/sift_options.h"

// How long work takes on this machine: jobs timed in turns, extraction compared over sizes, budgets and devices, and
// what a megapixel and a keypoint cost.

namespace OCTAVO_INTERNAL_API octavo {

/// The values that a quarter, half and three quarters of a sample stay below.
struct Quartiles {
  double q1 = 0, median = 0, q3 = 0;
};

/// Interpolates linearly between the sorted values (Hyndman and Fan 1996, definition 7, as NumPy); zeros for an empty
/// sample.
Quartiles quartiles(std::vector<double> values);

/// How often work is timed.
struct TimingOptions {
  int rounds = 15;  ///< timed runs, at least 1
  int warmup = 3;   ///< runs before them, at least 0
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const TimingOptions& options);

/// Work to time.
struct TimedJob {
  std::string name{};  ///< for progress
  std::function<void()> run;
  int parts = 1;  ///< how many equal parts, such as images, one run consists of; its time is divided by them
  /// Does the work once more, not timed as a whole, and gives the times of its stages; null where there are none.
  std::function<std::vector<StageTime>()> stages{};
};

struct JobTimes {
  Quartiles milliseconds;           ///< wall time of a run, over its parts
  std::vector<StageTime> stages{};  ///< the median of each
  std::vector<double> runs{};       ///< [ms] of each timed run, in order
  /// The stages of each round, in order.
  std::vector<std::vector<StageTime>> runs_of_stages{};
};

/// Times the jobs, round by round in turn, so that a slow moment of the machine falls on all of them. `progress` is
/// told each run before it begins, outside of what is timed, such as "NAME, round 2 of 15". Throws
/// Error(invalid_option) and what the jobs and `progress` throw.
std::vector<JobTimes> time_jobs(std::span<const TimedJob> jobs, const TimingOptions& options = {},
                                const ProgressSink& progress = {});

/// Sends a stream of images through an extractor, as a program does that submits images before it has collected the
/// features of those before: image i of the stream is images[i % size]. At most `in_flight` (at least 1) are submitted
/// and not collected. Returns the number of keypoints of all. `images` must not be empty. Throws what Extractor::submit
/// and Extractor::collect throw, Error(invalid_argument).
std::size_t extract_stream(Extractor& extractor, std::span<const ImageView> images, std::size_t length, int in_flight);

/// What an implementation is. A report compares implementations of one kind with those of another.
enum class ImplementationKind {
  reference,  ///< Octavo's plain loops
  cpu,        ///< Octavo on the CPU
  gpu,        ///< Octavo on a GPU
  opencv,
};

/// Who an implementation is.
struct ImplementationFacts {
  std::string name;         ///< for people: "cpu, 1 thread", "cuda:0", "OpenCV 4.6.0, 2 threads"; no two have the same
  std::string description;  ///< for people: what it runs on, or with which instruction set
  ImplementationKind kind = ImplementationKind::cpu;
  int threads = 0;  ///< of the CPU; 0 of a GPU, whose times hardly depend on them

  bool operator==(const ImplementationFacts&) const = default;
};

/// An implementation that was not measured, or not everywhere.
struct AbsentImplementation {
  std::string name;    ///< for people; with the size from which on it is absent: "cpu, 1 thread at 640x480"
  std::string reason;  ///< without a full stop

  /// Both, as one sentence without a full stop.
  [[nodiscard]] std::string sentence() const { return name + ": " + reason; }
  bool operator==(const AbsentImplementation&) const = default;
};

/// An extractor, of Octavo or of another program, that takes part in a comparison of times.
class BenchmarkImplementation {
 public:
  virtual ~BenchmarkImplementation() = default;

  [[nodiscard]] virtual ImplementationFacts facts() const = 0;

  /// The next runs are of this image, which outlives them, with this budget of keypoints (0: all). Returns how many
  /// there are.
  virtual std::size_t prepare(const ImageView& image, int max_features) = 0;
  /// One extraction, from pixels in memory to features in memory. [ms]
  virtual double run() = 0;
  /// Where the time of one more extraction goes; empty where that is not known.
  virtual std::vector<StageTime> stages() = 0;
  /// The memory of one extraction at its peak, as MemoryNeed::usual estimates it; none where that is not known.
  [[nodiscard]] virtual std::optional<MemoryBytes> memory() const { return std::nullopt; }
};

/// Octavo: `make` makes an extractor with a budget or a target of points (0: all). Throws what it throws.
std::unique_ptr<BenchmarkImplementation> benchmark_implementation(std::function<Extractor(int points)> make);

/// cv::SIFT of the OpenCV that the library is linked with, with the options that it shares with Octavo. `threads` are
/// the CPU threads; 0: all. Throws Error(invalid_option) for an option that is not at its default and that OpenCV
/// lacks.
std::unique_ptr<BenchmarkImplementation> opencv_implementation(const SiftOptions& options, int threads = 0);

/// The devices that a comparison of this machine is about: the reference and the CPU on one thread, the CPU on all, and
/// every GPU that "auto" would take.
std::vector<DeviceOptions> devices_to_compare();

/// An image that is measured in several sizes.
struct BenchmarkImage {
  std::string name;                         ///< for people
  std::string pixels;                       ///< for people: "3 channels, 8 bits"
  std::function<Image(ImageSize)> in_size;  ///< the image in this size; may throw Error
};

/// An image, scaled and cut to each size (resize_and_crop).
BenchmarkImage benchmark_image(std::string name, Image image);
/// The same of a file. Throws what read_image throws.
BenchmarkImage benchmark_image(std::string name, const std::filesystem::path& file, const ReadOptions& read);

/// A chessboard of 8-bit grey that has eight squares from top to bottom, drawn in each size (of at least 8 rows; lower
/// ones have squares of one pixel).
BenchmarkImage benchmark_chessboard();

/// What a comparison measures: every implementation on every image, at every size and budget.
struct BenchmarkGrid {
  std::vector<ImageSize> sizes;
  std::vector<int> budgets;  ///< keypoints at most; 0: all
  double seconds = 10;       ///< an implementation that has taken so long at a size and budget rests until the next
};

/// The times of one implementation on one image at one size and budget.
struct GridResult {
  std::string implementation;  ///< its name
  ImplementationKind kind = ImplementationKind::cpu;
  std::string image;  ///< its name
  ImageSize size;
  int budget = 0;
  std::size_t keypoints = 0;
  std::vector<double> milliseconds;   ///< of each run, in order; at least one
  std::vector<StageTime> stages;      ///< medians over runs of their own; may be empty
  std::optional<MemoryBytes> memory;  ///< BenchmarkImplementation::memory

  [[nodiscard]] double megapixels() const { return 1e-6 * size.width * size.height; }
};

/// All of it, and the implementations that failed and took no further part.
struct GridMeasurements {
  std::vector<GridResult> results;
  std::vector<AbsentImplementation> problems;
};

/// Times the implementations on the images; on each image, at each size and budget they take turns, round by round.
/// Each is timed at least once at each. `progress` is told each run before it begins, and that an implementation is
/// prepared and its stages are measured. Throws Error(invalid_option) and what BenchmarkImage::in_size throws.
GridMeasurements measure_grid(std::span<const BenchmarkImage> images, const BenchmarkGrid& grid,
                              const TimingOptions& options,
                              std::span<const std::unique_ptr<BenchmarkImplementation>> implementations,
                              const ProgressSink& progress = {});

/// How long one extraction took.
struct CostSample {
  double megapixels = 0;
  double keypoints = 0;
  double milliseconds = 0;  ///< above 0
};

/// milliseconds ≈ constant + per_megapixel · megapixels + per_keypoint · keypoints; none is negative.
struct CostFit {
  double constant = 0;       ///< [ms]
  double per_megapixel = 0;  ///< [ms]
  double per_keypoint = 0;   ///< [ms]
  double largest_error = 0;  ///< of a sample, as a part of its time
};

/// The error of a fit to fewer samples would be too small.
inline constexpr std::size_t least_cost_samples = 6;

/// The fit with the least sum of squared relative errors, so that short times count as much as long ones. None where
/// the samples do not decide it: fewer than least_cost_samples, or sizes and numbers of keypoints that go together.
std::optional<CostFit> fit_cost(std::span<const CostSample> samples);

}  // namespace octavo
