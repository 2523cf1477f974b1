// OpenCV's SIFT as an implementation. It runs in this process on the same pixels, with the same options. OpenCV has
// four of Octavo's options and no others, so a comparison is refused if another option changes the work.

#include <algorithm>
#include <array>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/stopwatch.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

// The options that OpenCV has, and `luma`, which costs no time.
constexpr std::array<std::string_view, 6> shared_options{"max_features",       "layers",         "sigma",
                                                         "contrast_threshold", "edge_threshold", "luma"};

void require_same_work(const SiftOptions& options) {
  const SiftOptions usual = preset("opencv");
  for (const Option<SiftOptions>& option : option_table<SiftOptions>().options) {
    if (std::ranges::find(shared_options, option.name) != shared_options.end()) continue;
    const OptionValue value = option.read(options, option);
    if (value == option.read(usual, option)) continue;
    throw Error(ErrorCode::invalid_option,
                InvalidOption{std::string(option.name), option_text(value), "OpenCV's SIFT has no such option"});
  }
}

// Sets OpenCV's number of threads, which all of the process shares, for a scope.
class OpenCvThreads {
 public:
  explicit OpenCvThreads(int threads) : before_(cv::getNumThreads()) { cv::setNumThreads(threads > 0 ? threads : -1); }
  ~OpenCvThreads() { cv::setNumThreads(before_); }
  OpenCvThreads(const OpenCvThreads&) = delete;
  OpenCvThreads& operator=(const OpenCvThreads&) = delete;

 private:
  int before_;
};

class OpenCvImplementation : public BenchmarkImplementation {
 public:
  OpenCvImplementation(const SiftOptions& options, int threads) : options_(options), threads_(threads) {}

  [[nodiscard]] ImplementationFacts facts() const override {
    const OpenCvThreads scope(threads_);
    const int threads = cv::getNumThreads();
    return {"OpenCV " CV_VERSION ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
            description(), ImplementationKind::opencv, threads};
  }

  std::size_t prepare(const ImageView& image, int max_features) override try {
    // OpenCV takes 8 bits a sample, and blue first. It makes grey of colour itself, within the time.
    cv::cvtColor(io::to_display(image), image_, image.channels < 3 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGB2BGR);
    sift_ = cv::SIFT::create(max_features, options_.layers, options_.contrast_threshold, options_.edge_threshold,
                             options_.sigma);
    run();
    return keypoints_.size();
  } catch (const cv::Exception& error) {
    throw_error_of(error, "OpenCV's SIFT cannot be timed");
  }

  double run() override try {
    const OpenCvThreads scope(threads_);
    cv::Mat descriptors;
    const Stopwatch stopwatch;
    sift_->detectAndCompute(image_, cv::noArray(), keypoints_, descriptors);
    return stopwatch.milliseconds();
  } catch (const cv::Exception& error) {
    throw_error_of(error, "OpenCV's SIFT cannot be timed");
  }

  std::vector<StageTime> stages() override { return {}; }

 private:
  [[nodiscard]] std::string description() const {
    return "cv::SIFT::create(nOctaveLayers=" + option_text(std::int64_t{options_.layers}) +
           ", contrastThreshold=" + option_text(options_.contrast_threshold) +
           ", edgeThreshold=" + option_text(options_.edge_threshold) + ", sigma=" + option_text(options_.sigma) + ")";
  }

  SiftOptions options_;
  int threads_;
  cv::Mat image_;
  cv::Ptr<cv::SIFT> sift_;
  std::vector<cv::KeyPoint> keypoints_;
};

}  // namespace

std::unique_ptr<BenchmarkImplementation> opencv_implementation(const SiftOptions& options, int threads) {
  require_same_work(options);
  return std::make_unique<OpenCvImplementation>(options, threads);
}

}  // namespace octavo
