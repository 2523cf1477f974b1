#include "jobs/machine_report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "io/json/json.h"
#include "jobs/figures_text.h"

namespace octavo {
namespace {

constexpr auto selftest_row = "{:<11}{:<13}{:<36}{:<13}{:<18}{}\n";

}  // namespace

std::string json_of(const DeviceSurvey& found) {
  Json list = Json::array();
  for (const Device& device : found.devices) {
    list.push_back({{"name", device.name},
                    {"kind", device.kind},
                    {"description", device.description},
                    {"isas", device.isas},
                    {"conformant", device.conformant},
                    {"note", device.note}});
  }
  return json_text(list);
}

std::string text_of(const DeviceSurvey& found) {
  std::string text;
  for (const Device& device : found.devices) {
    text += fmt::format("{:<12}{}\n", device.name, device.description);
    if (!device.isas.empty()) text += fmt::format("{:<12}instruction sets: {}\n", "", fmt::join(device.isas, ", "));
    if (!device.note.empty()) text += fmt::format("{:<12}not chosen automatically: {}\n", "", device.note);
  }
  for (const MissingDriver& missing : found.missing) {
    text += fmt::format("{}: not available: {}\n", missing.driver, missing.reason);
  }
  return text;
}

std::string json_of(const SelftestResults& results) {
  Json list = Json::array();
  for (const auto& [device, result] : results) {
    list.push_back({{"device", device.name},
                    {"isa", device.isa},
                    {"image", result.image},
                    {"stage", result.stage},
                    {"digest", result.digest},
                    {"expected", result.expected},
                    {"ok", result.ok}});
  }
  return json_text(list);
}

std::string heading_of_selftest() {
  return fmt::format(selftest_row, "device", "isa", "image", "stage", "digest", "verdict");
}

std::string rows_of(const DeviceOptions& device, const std::vector<SelftestResult>& results) {
  std::string text;
  for (const SelftestResult& result : results) {
    text += fmt::format(selftest_row, device.name, device.isa, result.image, result.stage, result.digest,
                        result.ok ? "ok" : "differs from " + result.expected);
  }
  return text;
}

std::size_t mismatches_of(const SelftestResults& results) {
  return static_cast<std::size_t>(std::ranges::count_if(results, [](const auto& one) { return !one.second.ok; }));
}

std::string conclusion_of(const SelftestResults& results) {
  const std::string digests = count_text(results.size(), "digest");
  if (const std::size_t mismatches = mismatches_of(results); mismatches > 0) {
    return fmt::format("This machine does not give the recorded bytes: {} of {} differ.", mismatches, digests);
  }
  std::set<std::string> devices;
  for (const auto& [device, result] : results) devices.insert(device.name);
  return fmt::format("This machine gives the recorded bytes: {} on {}.", digests, count_text(devices.size(), "device"));
}

}  // namespace octavo
