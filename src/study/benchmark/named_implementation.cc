// Implementations by their names.

#include "study/benchmark/named_implementation.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>
#include <variant>

#include "octavo/error.h"
#include "study/benchmark/timed_work.h"

namespace octavo {
namespace {

std::unique_ptr<BenchmarkImplementation> of_opencv(const ImplementationWork& work, int threads) {
  const SiftOptions* const sift = std::get_if<SiftOptions>(&work.detector);
  if (sift == nullptr) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"detector", std::string(detector_of(work.detector).name), "OpenCV has no such detector"});
  }
  SiftOptions options = *sift;
  if (work.exact) options.contrast_threshold = 0;  // as with a target of features
  return opencv_implementation(options, threads);
}

std::unique_ptr<BenchmarkImplementation> make_implementation(const std::string& name, const ImplementationWork& work,
                                                             const DeviceOptions& device) {
  const DeviceOptions options = device_named(name, device);
  if (options.name == "opencv") return of_opencv(work, options.threads);
  try {
    return benchmark_implementation([work, options](int points) {
      const DetectorOptions detector = with_points(work, points);
      return engine_to_time(options, [&](const DeviceOptions& on) { return make_extractor(detector, on); });
    });
  } catch (const Error& error) {
    if (error.option() != "device") throw;
    refuse_device(name, std::string(error.reason()));
  }
}

// The names of devices_to_compare(), in the form that implementations_of takes.
std::vector<std::string> names_to_compare() {
  std::vector<std::string> names;
  for (const DeviceOptions& device : devices_to_compare()) {
    names.push_back(device.threads > 0 ? fmt::format("{}@{}", device.name, device.threads) : device.name);
  }
  return names;
}

}  // namespace

void refuse_device(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::invalid_option, InvalidOption{"devices", fmt::format("\"{}\"", name), why});
}

DeviceOptions device_named(const std::string& name, const DeviceOptions& others) {
  const std::size_t at = name.find('@');
  DeviceOptions options = others;
  options.name = name.substr(0, at);
  if (at != std::string::npos) {
    const char* const begin = name.data() + at + 1;
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), options.threads);
    if (error != std::errc() || end != name.data() + name.size() || options.threads < 1 || options.threads > 1024) {
      refuse_device(name, "needs a whole number of threads from 1 to 1024 behind the @");
    }
  }
  return options;
}

DetectorOptions with_points(const ImplementationWork& work, int points) {
  DetectorOptions options = work.detector;
  const char* const limit = work.exact ? "target_features" : "max_features";
  if (points > 0 || detector_of(options).find(limit) != nullptr) set_option(options, limit, std::int64_t{points});
  return options;
}

Implementations implementations_of(std::span<const std::string> names, const ImplementationWork& work,
                                   const DeviceOptions& device) {
  Implementations made;
  const auto add = [&](const std::string& name) {
    report_item(device.progress, name);
    auto implementation = make_implementation(name, work, device);
    const ImplementationFacts facts = implementation->facts();
    if (std::ranges::find(made.facts, facts) != made.facts.end()) return;
    made.facts.push_back(facts);
    made.all.push_back(std::move(implementation));
  };
  for (const std::string& name : names) add(name);
  if (!names.empty()) return made;
  report_item(device.progress, "looking for devices");
  for (const std::string& name : names_to_compare()) add(name);
  try {
    for (const char* const name : {"opencv@1", "opencv"}) add(name);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_option) throw;
    made.absent.push_back({"OpenCV", error.what()});
  }
  return made;
}

}  // namespace octavo
