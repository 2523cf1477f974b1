#pragma once

#include <memory>
#include <string>
#include <vector>

#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/sift_options.h"

namespace octavo {

/// Where the time of one extraction went.
struct StageTime {
  std::string stage;        ///< e.g. "scale space"
  double milliseconds = 0;  ///< wall time; stages do not overlap
};

/// Finds and describes the keypoints of images. Holds its buffers, so the second image of a size costs no allocation.
/// Not shared between threads; cheap to make one per thread. Usable after an error.
class Extractor {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Extractor(const SiftOptions& options = {}, const DeviceOptions& device = {});
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;

  /// The features of `image`, in canonical order. `mask` (u8, one channel, the image's size; null: none) keeps the
  /// keypoints whose nearest pixel is not 0 in it; the pyramid ignores it. `times`, if given, receives the stages'
  /// times. Images too small for a single octave have no features; that is no error. Throws Error(invalid_argument) for
  /// an image or mask that cannot be used, Error(out_of_memory).
  Features extract(const ImageView& image, const ImageView* mask = nullptr, std::vector<StageTime>* times = nullptr);

  /// "cpu" or "reference", never "auto".
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512"; "scalar" for the reference.
  [[nodiscard]] const std::string& isa() const;
  /// The CPU threads it uses at most.
  [[nodiscard]] int threads() const;
  [[nodiscard]] const SiftOptions& options() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
