// Octavo's extractors and OpenCV's under one interface.

#include "cli/bench/contender.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/report/python_script.h"
#include "cli/stopwatch.h"

namespace octavo {

extern const std::string_view opencv_sift_py;

namespace cli {
namespace {

std::string threads_of(int count) { return fmt::format("{} thread{}", count, count == 1 ? "" : "s"); }

class OctavoContender : public BenchContender {
 public:
  OctavoContender(const SiftOptions& sift, DeviceOptions device)
      : sift_(sift), device_(std::move(device)), extractor_(sift_, device_) {}

  [[nodiscard]] std::string name() const override {
    const std::string& device = extractor_.device();
    // A GPU's times hardly depend on the threads that bring it the images.
    return device == "cpu" || device == "reference" ? device + ", " + threads_of(extractor_.threads()) : device;
  }

  [[nodiscard]] std::string description() const override {
    if (extractor_.device() == "cpu") return "vectors, " + extractor_.isa();
    for (const Device& device : list_devices()) {
      if (device.name == extractor_.device()) return device.description;
    }
    return extractor_.isa();
  }

  std::size_t prepare(const BenchPicture& picture, int max_features) override {
    image_ = picture.image.view();
    if (sift_.max_features != max_features) {
      sift_.max_features = max_features;
      extractor_ = Extractor(sift_, device_);
    }
    return extractor_.extract(image_).size();
  }

  double run() override {
    const Stopwatch stopwatch;
    const Features features = extractor_.extract(image_);
    return stopwatch.milliseconds();
  }

  std::vector<StageTime> stages() override {
    std::vector<StageTime> times;
    extractor_.extract(image_, nullptr, &times);
    return times;
  }

 private:
  SiftOptions sift_;
  DeviceOptions device_;
  Extractor extractor_;
  ImageView image_;
};

// Its process times itself, so that the way to it and back does not count.
class OpenCvContender : public BenchContender {
 public:
  OpenCvContender(const SiftOptions& sift, int threads, const std::string& python)
      : script_(python, "OpenCV", opencv_sift_py) {
    const nlohmann::json about = script_.ask({{"threads", threads},
                                              {"layers", sift.layers},
                                              {"sigma", sift.sigma},
                                              {"contrast_threshold", sift.contrast_threshold},
                                              {"edge_threshold", sift.edge_threshold}});
    name_ = "OpenCV " + about.at("version").get<std::string>() + ", " + threads_of(about.at("threads").get<int>());
    description_ = about.at("description").get<std::string>();
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string description() const override { return description_; }

  std::size_t prepare(const BenchPicture& picture, int max_features) override {
    return script_.ask({{"image", picture.file.string()}, {"max_features", max_features}})
        .at("keypoints")
        .get<std::size_t>();
  }

  double run() override { return script_.ask({{"run", true}}).at("milliseconds").get<double>(); }

  std::vector<StageTime> stages() override { return {}; }

 private:
  PythonScript script_;
  std::string name_, description_;
};

}  // namespace

std::unique_ptr<BenchContender> make_contender(const std::string& name, const SiftOptions& sift,
                                               const DeviceOptions& device, const std::string& python) {
  const std::size_t at = name.find('@');
  DeviceOptions options = device;
  options.name = name.substr(0, at);
  if (at != std::string::npos) {
    const char* const begin = name.data() + at + 1;
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), options.threads);
    if (error != std::errc() || end != name.data() + name.size() || options.threads < 1 || options.threads > 1024) {
      throw CLI::ValidationError("--devices",
                                 fmt::format("'{}' has no number of threads from 1 to 1024 after the @", name));
    }
  }
  if (options.name == "opencv") return std::make_unique<OpenCvContender>(sift, options.threads, python);
  return std::make_unique<OctavoContender>(sift, options);
}

}  // namespace cli
}  // namespace octavo
