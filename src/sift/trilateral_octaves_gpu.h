// Octaves of trilateral smoothing on a GPU, in the buffer of the pyramid, one filter after the other.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "octavo/sift_options.h"
#include "scale_space/pyramid_gpu.h"
#include "trilateral/trilateral_gpu.h"

namespace octavo {

class TrilateralOctavesGpu {
 public:
  TrilateralOctavesGpu(const SiftOptions& options, std::shared_ptr<Gpu> gpu);

  /// Makes room for the octaves of a pyramid, which has at least one. Throws the errors of TrilateralGpu::prepare; call
  /// `release` after an error.
  void prepare(const PyramidGpu& pyramid);
  void release() { filter_.release(); }

  /// Enqueues everything from the uploaded image to the last image of the last octave. `pixels` is the image's number
  /// of pixels.
  void enqueue(GpuQueue& queue, PyramidGpu& pyramid, int image_width, int image_height);

  /// The factor of SIFT's contrast limits, one float. Null if there is none.
  [[nodiscard]] const GpuBuffer* contrast() const;

 private:
  SiftOptions options_;
  TrilateralGpu filter_;
};

}  // namespace octavo
