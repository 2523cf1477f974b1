// The interface of every detector that describes keypoints which the caller gives.

#pragma once

#include <cstddef>
#include <span>

#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace octavo {

/// Works on one image at a time. Not shared between threads. Not usable after an error.
class Describer {
 public:
  virtual ~Describer() = default;

  /// Describes keypoints of a valid image. See Extractor::describe.
  virtual Description describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from) = 0;

  /// The memory that `describe` takes for this number of keypoints of an image of the shape of `image`, whose pixels
  /// are not read.
  [[nodiscard]] virtual MemoryNeed memory_for(const ImageView& image, std::size_t keypoints) const = 0;
};

}  // namespace octavo
