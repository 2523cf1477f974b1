#include "bench/gpu/extraction_times.h"

#include <cstring>
#include <utility>
#include <vector>

#include "bench/gpu/images.h"
#include "bench/gpu/throughput.h"
#include "bench/peers/timing.h"
#include "engine/device/registry.h"
#include "octavo/image.h"

namespace octavo::bench {

Features ExtractionTimes::expected() {
  Features expected = cpu_.extract(image_);
  for (int i = 0; i < 3; ++i) same_ = same_ && extractor_.extract(image_) == expected;
  return expected;
}

bool ExtractionTimes::on_one_gpu() const {
  const std::string& name = extractor_.device();
  return name.find(',') == std::string::npos && resolve_device({.name = name}).is_gpu();
}

void ExtractionTimes::add_whole(nlohmann::ordered_json& row) {
  row["extract_ms"] = time_of_extract(image_);
  if (on_one_gpu()) row["extract_pinned_ms"] = time_of_extract_from_pinned();
  add_stages(row);
}

void ExtractionTimes::add_stream(nlohmann::ordered_json& row, int count, std::size_t in_flight) {
  const std::vector<Image> images = moved_round(image_, count);
  std::vector<Features> found(images.size());
  const auto keep = [&](std::size_t i, Features features) { found[i] = std::move(features); };
  const auto same_as_cpu = [&] {
    for (std::size_t i = 0; i < images.size(); i += images.size() / 4 + 1) {
      same_ = same_ && found[i] == cpu_.extract(images[i].view());
    }
  };
  stream_milliseconds(extractor_, images, in_flight, Pixels::until_submitted, keep);  // warms up
  const double total = stream_milliseconds(extractor_, images, in_flight, Pixels::until_submitted, keep);
  same_as_cpu();
  const double lent = stream_milliseconds(extractor_, images, in_flight, Pixels::until_collected, keep);
  same_as_cpu();
  row["images_in_stream"] = count;
  row["in_flight"] = in_flight;
  row["pipelined_ms"] = total / count;
  row["pipelined_lent_ms"] = lent / count;
  row["images_per_s"] = 1000 * count / total;
}

double ExtractionTimes::time_of_extract(const ImageView& image) {
  std::vector<double> whole;
  for (int i = 0; i < rounds_; ++i) whole.push_back(milliseconds([&] { extractor_.extract(image); }));
  return median(whole);
}

// Only the image is in pinned memory. The features go to vectors.
double ExtractionTimes::time_of_extract_from_pinned() {
  const std::size_t row_bytes = static_cast<std::size_t>(image_.width);
  const auto pinned = resolve_device({.name = extractor_.device()})
                          .open_gpu()
                          ->allocate_pinned(row_bytes * static_cast<std::size_t>(image_.height));
  ImageView copy = image_;
  copy.data = pinned->data();
  copy.stride = image_.width;
  for (int y = 0; y < image_.height; ++y) {
    std::memcpy(pinned->data() + static_cast<std::size_t>(y) * row_bytes, image_.row(y), row_bytes);
  }
  return time_of_extract(copy);
}

void ExtractionTimes::add_stages(nlohmann::ordered_json& row) {
  std::vector<std::vector<double>> stages;
  std::vector<StageTime> times;
  for (int i = 0; i < rounds_; ++i) {
    extractor_.extract(image_, nullptr, &times);
    stages.resize(times.size());
    for (std::size_t s = 0; s < times.size(); ++s) stages[s].push_back(times[s].milliseconds);
  }
  for (std::size_t s = 0; s < times.size(); ++s) row["stages"][times[s].stage] = median(stages[s]);
}

}  // namespace octavo::bench
