// Whole extractions of a picture on a device, from host memory to host memory: one after the other, and several in
// flight. Features are compared with the CPU's: a wrong answer has no speed.

#pragma once

#include <nlohmann/json.hpp>

#include "octavo/extractor.h"

namespace octavo::bench {

class ExtractionTimes {
 public:
  /// `cpu` says what is right. The picture has one channel of 8 bits and outlives this, as do the extractors.
  ExtractionTimes(const ImageView& image, Extractor& cpu, Extractor& extractor, int rounds)
      : image_(image), cpu_(cpu), extractor_(extractor), rounds_(rounds) {}

  /// The CPU's features; the device's were compared with them three times.
  Features expected();
  /// Whether all answers until now were the CPU's.
  [[nodiscard]] bool same() const { return same_; }
  /// The device is one GPU.
  [[nodiscard]] bool on_one_gpu() const;

  /// Adds "extract_ms", of one GPU "extract_pinned_ms", and "stages".
  void add_whole(nlohmann::ordered_json& row);
  /// Adds "pipelined_ms" and "images_per_s" of so many different pictures, `in_flight` unfinished at a time.
  void add_stream(nlohmann::ordered_json& row, int count, std::size_t in_flight);

 private:
  double time_of_extract(const ImageView& image);
  double time_of_extract_from_pinned();
  void add_stages(nlohmann::ordered_json& row);

  ImageView image_;
  Extractor& cpu_;
  Extractor& extractor_;
  int rounds_;
  bool same_ = true;
};

}  // namespace octavo::bench
