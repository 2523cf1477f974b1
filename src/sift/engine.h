// What a device must offer to extract stage by stage: the pixels' part of SIFT. Masks, budgets and canonical order are
// the same for all and live in extraction_staged.cc.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/plane.h"
#include "device/image_on_gpu.h"
#include "octavo/extractor.h"
#include "sift/orientation.h"
#include "sift/oriented.h"

namespace octavo {

class SiftEngine {
 public:
  virtual ~SiftEngine() = default;

  /// Builds the scale space of a valid image and finds its extrema: one sorted list per octave.
  virtual std::vector<std::vector<Extremum>> detect(const ImageView& image) = 0;

  /// Builds the scale space alone, for orientations and descriptors. On a GPU it returns before that is done, and
  /// `there`, if given, are the image's pixels on the same one; then `image` needs none.
  virtual void build(const ImageView& image, const std::optional<PixelsOnGpu>& there) {
    static_cast<void>(there);
    detect(image);
  }

  /// The orientations of extrema of the last image; `orientations[i]` belongs to `extrema[i]`, whose turns are not set
  /// yet.
  virtual std::vector<Orientations> orient(const std::vector<Oriented>& extrema) = 0;

  /// The descriptors (N×128) of keypoints of the last image.
  virtual void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) = 0;

  /// A Gaussian image of the last image's scale space: octave counted from 0, layer 1…S.
  [[nodiscard]] virtual const Plane& level(int octave, int layer) = 0;
};

/// The engine of a device. Throws Error(invalid_option) or Error(device_unavailable).
std::unique_ptr<SiftEngine> make_engine(const SiftOptions& options, const DeviceOptions& device);

}  // namespace octavo
