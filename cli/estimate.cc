#include "cli/estimate.h"

#include <cstdint>
#include <exception>

#include "cli/command.h"
#include "io/json/json.h"
#include "octavo/image_view.h"

namespace octavo::cli {
namespace {

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20)); }

// The memory of an image on one device. `images` is that of the pixels of all images that are in memory at a time.
struct Report {
  MemoryEstimate estimate;
  std::uint64_t images;

  [[nodiscard]] std::uint64_t host() const { return estimate.usual_host_bytes() + images; }
  [[nodiscard]] bool fits() const { return estimate.fits() && host() <= estimate.host.bytes; }
  [[nodiscard]] bool is_gpu() const { return estimate.buffer_limit > 0; }

  [[nodiscard]] std::string text() const {
    std::string line = "  " + estimate.device + ": ";
    if (is_gpu()) {
      line += fmt::format("{} of the device's memory, {} available", mebibytes(estimate.need.usual.device),
                          mebibytes(estimate.on_device.bytes));
      if (estimate.need.largest_buffer > estimate.buffer_limit) {
        line += fmt::format("; a buffer of {}, at most {} allowed", mebibytes(estimate.need.largest_buffer),
                            mebibytes(estimate.buffer_limit));
      }
      line += "; ";
    }
    line += fmt::format("{} of the host's memory, {} available ({})", mebibytes(host()), mebibytes(estimate.host.bytes),
                        estimate.host.limit);
    if (estimate.in_flight > 1) {
      line += fmt::format("; each of {} further images in flight {} and {}", estimate.in_flight - 1,
                          mebibytes(estimate.each_further.device), mebibytes(estimate.each_further.host));
    }
    return line + (fits() ? ": it fits" : ": it does not fit");
  }

  [[nodiscard]] Json json() const {
    const auto both = [](const MemoryBytes& bytes) {
      return Json{{"host_bytes", bytes.host}, {"device_bytes", bytes.device}};
    };
    return {{"device", estimate.device},
            {"least", both(estimate.need.least)},
            {"usual", both(estimate.need.usual)},
            {"each_further", both(estimate.each_further)},
            {"in_flight", estimate.in_flight},
            {"pixels_in_memory", images},
            {"available", both({estimate.host.bytes, estimate.on_device.bytes})},
            {"limit", estimate.host.limit},
            {"fits", fits()}};
  }
};

}  // namespace

CommandOption& add_estimate(Command& command, std::string_view work, CommandOption& output, bool& estimate) {
  const auto take = [&estimate, &output] {
    estimate = true;
    output.required(false);
  };
  return command.add_flag("--estimate", take).about(work).excludes(output);
}

int print_estimates(std::span<const std::string> images, const EstimateCall& call) {
  bool failed = false;
  Json list = Json::array();
  for (const std::string& name : images) {
    try {
      const ImageView shape = shape_of_input(name, call.read);
      const std::uint64_t pixels =
          static_cast<std::uint64_t>(shape.stride) * static_cast<std::uint64_t>(shape.height) * call.images_at_a_time;
      Json devices = Json::array();
      std::string text;
      int octaves = 0;
      for (const MemoryEstimate& estimate : call.estimate(shape)) {
        const Report report{estimate, pixels};
        octaves = estimate.octaves;
        failed = failed || !report.fits();
        devices.push_back(report.json());
        text += report.text() + "\n";
      }
      list.push_back({{"image", name},
                      {"width", shape.width},
                      {"height", shape.height},
                      {"channel_count", shape.channels},
                      {"bit_depth", 8 * bytes_of(shape.type)},
                      {"octave_count", octaves},
                      {"devices", devices}});
      if (!call.json) {
        fmt::print("{}: {}x{}, {} x {} bits{}\n{}", name, shape.width, shape.height, shape.channels,
                   8 * bytes_of(shape.type), octaves > 0 ? fmt::format(", {} octaves", octaves) : "", text);
      }
    } catch (const std::exception& error) {
      const std::string sentence = error.what();
      complain(sentence.find(name) != std::string::npos ? sentence : name + ": " + sentence);
      failed = true;
    }
  }
  if (call.json && call.array) fmt::print("{}\n", json_text(list));
  if (call.json && !call.array && !list.empty()) fmt::print("{}\n", json_text(list.front()));
  return failed ? exit_failed : exit_done;
}

}  // namespace octavo::cli
