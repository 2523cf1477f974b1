// Contenders by their names, and OpenCV's SIFT as one of them.

#include "cli/bench/contender.h"

#include <fmt/core.h>

#include <CLI/App.hpp>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/bench/python_script.h"
#include "cli/bench/temporary_folder.h"
#include "octavo/imageio.h"

namespace octavo {

extern const std::string_view opencv_sift_py;

namespace cli {
namespace {

std::string threads_of(int count) { return fmt::format("{} thread{}", count, count == 1 ? "" : "s"); }

// OpenCV's process measures its own time, so that the pipes between the processes do not count.
class OpenCvContender : public BenchmarkContender {
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

  std::size_t prepare(const ImageView& image, int max_features) override {
    const std::filesystem::path file = folder_.path() / (image.channels < 3 ? "image.pgm" : "image.ppm");
    write_image(file, image);
    return script_.ask({{"image", file.string()}, {"max_features", max_features}}).at("keypoints").get<std::size_t>();
  }

  double run() override { return script_.ask({{"run", true}}).at("milliseconds").get<double>(); }

  std::vector<StageTime> stages() override { return {}; }

 private:
  PythonScript script_;
  TemporaryFolder folder_;
  std::string name_, description_;
};

}  // namespace

std::unique_ptr<BenchmarkContender> make_contender(const std::string& name, const SiftOptions& sift,
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
  return benchmark_contender([sift, options](int max_features) {
    SiftOptions with_budget = sift;
    with_budget.max_features = max_features;
    return Extractor(with_budget, options);
  });
}

}  // namespace cli
}  // namespace octavo
