// Contenders by their names.

#include "cli/bench/contender.h"

#include <fmt/core.h>

#include <CLI/App.hpp>
#include <charconv>
#include <system_error>

namespace octavo::cli {

std::unique_ptr<BenchmarkContender> make_contender(const std::string& name, const SiftOptions& sift,
                                                   const DeviceOptions& device) {
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
  if (options.name == "opencv") return opencv_contender(sift, options.threads);
  return benchmark_contender([sift, options](int max_features) {
    SiftOptions with_budget = sift;
    with_budget.max_features = max_features;
    return Extractor(with_budget, options);
  });
}

}  // namespace octavo::cli
