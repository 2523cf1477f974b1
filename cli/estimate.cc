#include "cli/estimate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/json_text.h"
#include "cli/standard_streams.h"

namespace octavo::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20)); }

// The memory of a picture on one device. `pictures` is that of the pixels of all pictures that are in memory at a time.
struct Report {
  MemoryEstimate estimate;
  std::uint64_t pictures;

  [[nodiscard]] std::uint64_t host() const { return estimate.usual_host_bytes() + pictures; }
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
    const auto both = [](const MemoryBytes& bytes) { return Json{{"host", bytes.host}, {"device", bytes.device}}; };
    return {{"device", estimate.device},
            {"least", both(estimate.need.least)},
            {"usual", both(estimate.need.usual)},
            {"each_further", both(estimate.each_further)},
            {"in_flight", estimate.in_flight},
            {"pictures", pictures},
            {"available", both({estimate.host.bytes, estimate.on_device.bytes})},
            {"limit", estimate.host.limit},
            {"fits", fits()}};
  }
};

// The shape of a picture without its pixels.
ImageView shape_of(const PictureFile& picture, const ReadOptions& options) {
  const Image image = read_picture(picture.file.string(), options);
  return {nullptr, image.width(), image.height(), image.channels(), image.type(), image.stride()};
}

// Pictures that are in memory at a time: those in flight, and as many that are being loaded.
std::uint64_t pictures_at_a_time(const Extractor& extractor, std::size_t pictures) {
  const std::uint64_t in_flight = static_cast<std::uint64_t>(extractor.best_in_flight());
  const std::uint64_t loading = std::min<std::uint64_t>(in_flight, std::max(std::thread::hardware_concurrency(), 1u));
  return std::min<std::uint64_t>(in_flight + loading, pictures);
}

}  // namespace

int print_estimates(const Extractor& extractor, std::span<const PictureFile> pictures, const EstimateCall& call) {
  bool failed = false;
  Json list = Json::array();
  for (const PictureFile& picture : pictures) {
    const std::string name = picture.file.string();
    try {
      const ImageView shape = shape_of(picture, call.read);
      const std::uint64_t pixels = static_cast<std::uint64_t>(shape.stride) * static_cast<std::uint64_t>(shape.height) *
                                   pictures_at_a_time(extractor, pictures.size());
      Json devices = Json::array();
      std::string text;
      int octaves = 0;
      for (const MemoryEstimate& estimate : extractor.estimate(shape, call.masked)) {
        const Report report{estimate, pixels};
        octaves = estimate.octaves;
        failed = failed || !report.fits();
        devices.push_back(report.json());
        text += report.text() + "\n";
      }
      list.push_back({{"image", name},
                      {"width", shape.width},
                      {"height", shape.height},
                      {"channels", shape.channels},
                      {"bits", 8 * bytes_of(shape.type)},
                      {"octaves", octaves},
                      {"devices", devices}});
      if (!call.json) {
        fmt::print("{}: {}x{}, {} x {} bits, {} octaves\n{}", name, shape.width, shape.height, shape.channels,
                   8 * bytes_of(shape.type), octaves, text);
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
