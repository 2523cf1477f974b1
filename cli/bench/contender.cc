// Contenders by their names.

#include "cli/bench/contender.h"

#include <fmt/core.h>

#include <charconv>
#include <system_error>

#include "cli/bench/bench.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::invalid_option, InvalidOption{"devices", fmt::format("\"{}\"", name), why});
}

}  // namespace

std::unique_ptr<BenchmarkContender> make_contender(const std::string& name, const SiftOptions& sift,
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
  if (options.name == "opencv") return opencv_contender(sift, options.threads);
  try {
    return benchmark_contender([sift, options](int max_features) {
      SiftOptions with_budget = sift;
      with_budget.max_features = max_features;
      return engine_to_time(options, [&](const DeviceOptions& on) { return Extractor(with_budget, on); });
    });
  } catch (const Error& error) {
    if (error.option() != "device") throw;
    refuse(name, std::string(error.reason()));
  }
}

}  // namespace octavo::cli
