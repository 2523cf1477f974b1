#include "jobs/memory_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "io/json/json.h"

namespace octavo {
namespace jobs {
namespace {

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20)); }

bool fits(const MemoryEstimate& estimate, std::uint64_t pixels) {
  return estimate.fits() && estimate.usual_host_bytes() + pixels <= estimate.host.bytes;
}

std::string text_of_device(const MemoryEstimate& estimate, std::uint64_t pixels) {
  std::string line = "  " + estimate.device + ": ";
  if (estimate.buffer_limit > 0) {  // a GPU
    line += fmt::format("{} of the device's memory, {} available", mebibytes(estimate.need.usual.device),
                        mebibytes(estimate.on_device.bytes));
    if (estimate.need.largest_buffer > estimate.buffer_limit) {
      line += fmt::format("; a buffer of {}, at most {} allowed", mebibytes(estimate.need.largest_buffer),
                          mebibytes(estimate.buffer_limit));
    }
    line += "; ";
  }
  line += fmt::format("{} of the host's memory, {} available ({})", mebibytes(estimate.usual_host_bytes() + pixels),
                      mebibytes(estimate.host.bytes), estimate.host.limit);
  if (estimate.in_flight > 1) {
    line += fmt::format("; each of {} further images in flight {} and {}", estimate.in_flight - 1,
                        mebibytes(estimate.each_further.device), mebibytes(estimate.each_further.host));
  }
  return line + (fits(estimate, pixels) ? ": it fits\n" : ": it does not fit\n");
}

Json json_of_device(const MemoryEstimate& estimate, std::uint64_t pixels) {
  const auto both = [](const MemoryBytes& bytes) {
    return Json{{"host_bytes", bytes.host}, {"device_bytes", bytes.device}};
  };
  return {{"device", estimate.device},
          {"least", both(estimate.need.least)},
          {"usual", both(estimate.need.usual)},
          {"each_further", both(estimate.each_further)},
          {"in_flight", estimate.in_flight},
          {"pixels_in_memory", pixels},
          {"available", both({estimate.host.bytes, estimate.on_device.bytes})},
          {"limit", estimate.host.limit},
          {"fits", fits(estimate, pixels)}};
}

int octaves_of(const MemoryReport& report) { return report.devices.empty() ? 0 : report.devices.back().octaves; }

}  // namespace
}  // namespace jobs

bool MemoryReport::fits() const {
  return std::ranges::all_of(devices, [&](const MemoryEstimate& one) { return jobs::fits(one, pixels); });
}

std::string json_of(const MemoryReport& report) {
  Json devices = Json::array();
  for (const MemoryEstimate& one : report.devices) devices.push_back(jobs::json_of_device(one, report.pixels));
  return json_text({{"image", report.image},
                    {"width", report.shape.width},
                    {"height", report.shape.height},
                    {"channel_count", report.shape.channels},
                    {"bit_depth", 8 * bytes_of(report.shape.type)},
                    {"octave_count", jobs::octaves_of(report)},
                    {"devices", devices}});
}

std::string text_of(const MemoryReport& report) {
  const int octaves = jobs::octaves_of(report);
  std::string text = fmt::format("{}: {}x{}, {} x {} bits{}\n", report.image, report.shape.width, report.shape.height,
                                 report.shape.channels, 8 * bytes_of(report.shape.type),
                                 octaves > 0 ? fmt::format(", {} octaves", octaves) : "");
  for (const MemoryEstimate& one : report.devices) text += jobs::text_of_device(one, report.pixels);
  return text;
}

}  // namespace octavo
