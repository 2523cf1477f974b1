// Times whole extractions of an image on a device, from host memory to host memory, one after the other and with
// several in flight. Features are compared with the CPU's, since the time of a wrong result has no meaning.

#pragma once

#include <nlohmann/json.hpp>

#include "octavo/extractor.h"

namespace octavo::bench {

class ExtractionTimes {
 public:
  /// The features of `cpu` are the right ones. The image has one channel of 8 bits. Image and extractors must
  /// outlive the object.
  ExtractionTimes(const ImageView& image, Extractor& cpu, Extractor& extractor, int rounds)
      : image_(image), cpu_(cpu), extractor_(extractor), rounds_(rounds) {}

  /// The CPU's features. Compares the device's features with them three times.
  Features expected();
  /// Whether all results so far equal the CPU's.
  [[nodiscard]] bool same() const { return same_; }
  /// Whether the device is a single GPU.
  [[nodiscard]] bool on_one_gpu() const;

  /// Adds "extract_ms", "extract_pinned_ms" (for a single GPU), and "stages".
  void add_whole(nlohmann::ordered_json& row);
  /// Adds "pipelined_ms" and "images_per_s" of `count` different images, of which `in_flight` are unfinished at a
  /// time, and "pipelined_lent_ms" where the pixels are unchanged until the features are collected.
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
