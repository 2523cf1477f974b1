// Implementations by their names.

#include "cli/bench/implementation.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>
#include <system_error>
#include <variant>

#include "cli/bench/bench.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::invalid_option, InvalidOption{"devices", fmt::format("\"{}\"", name), why});
}

std::unique_ptr<BenchmarkImplementation> of_opencv(const ImplementationWork& work, int threads) {
  const SiftOptions* const sift = std::get_if<SiftOptions>(&work.detector);
  if (sift == nullptr) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"detector", std::string(detector_of(work.detector).name), "OpenCV has no such detector"});
  }
  SiftOptions options = *sift;
  if (work.exact) options.contrast_threshold = 0;  // as without_target
  return opencv_implementation(options, threads);
}

}  // namespace

DetectorOptions with_points(const ImplementationWork& work, int points) {
  DetectorOptions options = work.detector;
  const char* const limit = work.exact ? "target_features" : "max_features";
  if (points > 0 || detector_of(options).find(limit) != nullptr) set_option(options, limit, std::int64_t{points});
  return options;
}

std::unique_ptr<BenchmarkImplementation> make_implementation(const std::string& name, const ImplementationWork& work,
                                                             const DeviceOptions& device) {
  const std::size_t at = name.find('@');
  DeviceOptions options = device;
  options.name = name.substr(0, at);
  if (at != std::string::npos) {
    const char* const begin = name.data() + at + 1;
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), options.threads);
    if (error != std::errc() || end != name.data() + name.size() || options.threads < 1 || options.threads > 1024) {
      refuse(name, "needs a whole number of threads from 1 to 1024 behind the @");
    }
  }
  if (options.name == "opencv") return of_opencv(work, options.threads);
  try {
    return benchmark_implementation([work, options](int points) {
      const DetectorOptions detector = with_points(work, points);
      return engine_to_time(options, [&](const DeviceOptions& on) { return make_extractor(detector, on); });
    });
  } catch (const Error& error) {
    if (error.option() != "device") throw;
    refuse(name, std::string(error.reason()));
  }
}

}  // namespace octavo::cli
