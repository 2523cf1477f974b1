// Octaves of trilateral smoothing on a GPU, in the buffer of the pyramid. With the direct schedule every image of an
// octave is made from its image 0. The next octave needs image S alone, so the chain from octave to octave contains
// only that image, and the others of each octave run on a branch of the queue: the small octaves, which cannot fill a
// GPU, run beside the large ones. σ_r of the contrast allows this, since it is the same for all octaves; σ_r of the
// gradients is measured anew for each image, and those images are filtered one after the other.

#pragma once

#include <memory>

#include "engine/device/gpu.h"
#include "engine/scale_space/pyramid_gpu.h"
#include "engine/trilateral/trilateral_gpu.h"

namespace octavo {

class TrilateralOctavesGpu {
 public:
  TrilateralOctavesGpu(const ScaleSpaceOptions& options, std::shared_ptr<Gpu> gpu);

  /// Makes room for the octaves of a pyramid, which has at least one. Throws the errors of TrilateralGpu::prepare; call
  /// `release` after an error.
  void prepare(const PyramidGpu& pyramid);
  void release() { filter_.release(); }

  /// Enqueues everything from the uploaded image to the last image of the last octave. The image
  /// has `image_width` by `image_height` pixels.
  void enqueue(GpuQueue& queue, PyramidGpu& pyramid, int image_width, int image_height);

  /// The factor of SIFT's contrast limits, one float. Null if there is none.
  [[nodiscard]] const GpuBuffer* contrast() const;

 private:
  [[nodiscard]] bool by_contrast() const { return options_.trilateral_range == TrilateralRange::contrast; }
  [[nodiscard]] TrilateralGpu::Rows image(const PyramidGpu& pyramid, std::size_t octave, int level) const;
  void enqueue_direct(GpuQueue& queue, const PyramidGpu& pyramid, std::size_t octave);
  void enqueue_chained(GpuQueue& queue, const PyramidGpu& pyramid, std::size_t octave);

  ScaleSpaceOptions options_;
  TrilateralGpu filter_;
};

}  // namespace octavo
