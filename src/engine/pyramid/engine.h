// The interface of a device that makes pyramids: everything from the pixels of a valid image to its planes. The checks
// of the arguments, grey on the host and the results are the same for all devices and are in pyramid.cc.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/registry.h"
#include "engine/scale_space/scale_space_options.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/pyramid.h"

namespace octavo {

/// The stage of devices that make everything in one pass.
inline constexpr const char* pyramid_in_one_pass = "grey, blurs and differences";

class PyramidEngine {
 public:
  virtual ~PyramidEngine() = default;

  /// Makes the pyramid. The times of the stages are appended to `times`, if that is not null.
  virtual void compute(const ImageView& image, std::vector<StageTime>* times) = 0;

  /// Receives the planes of an octave, counted from 0. They are valid during the call.
  using Take =
      std::function<void(int octave, std::span<const ImageView> gaussians, std::span<const ImageView> differences)>;
  /// Gives the wanted planes of the last pyramid, octave by octave.
  virtual void fetch(const Take& take) = 0;

  /// Host memory that the device reads at full speed, for an image that `compute` receives. Valid until the next call.
  virtual std::byte* room_for_image(std::size_t bytes) = 0;

  /// The memory that `compute` and `fetch` take, beside room_for_image, for images of the shape of `image`, whose
  /// pixels are not read.
  [[nodiscard]] virtual MemoryNeed memory_for(const ImageView& image) const = 0;

  /// The GPU that it works on; null if that is none.
  [[nodiscard]] virtual const Gpu* gpu() const { return nullptr; }
};

}  // namespace octavo
