// Octaves of trilateral smoothing on the CPU, whole images at a time: σ_r may follow from all of an image, and the
// windows reach too far for tiles that stay in the cache.

#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "core/plane.h"
#include "octavo/sift_options.h"
#include "scale_space/octave_cpu.h"
#include "scale_space/plan.h"
#include "trilateral/trilateral_cpu.h"

namespace octavo {

class TrilateralOctavesCpu {
 public:
  /// `pool` outlives it.
  TrilateralOctavesCpu(const SiftOptions& options, const Isa& isa, CpuPool& pool);

  /// Image 0 of the first octave; measures the contrast.
  void begin(const ImageView& image, const ScaleSpacePlan& plan, Plane& first);

  /// Sees each image when it is made: `image` of `source`, by what `filter` ran last.
  using Watch = std::function<void(int image, int source, const TrilateralCpu& filter)>;

  /// The other S + 2 images of an octave, from image 0. All have the octave's size.
  void complete(std::vector<Plane>& levels, const Watch& watch = nullptr);

  /// What SIFT's contrast limits are multiplied by.
  [[nodiscard]] float contrast() const { return contrast_; }

 private:
  SiftOptions options_;
  CpuPool& pool_;
  TrilateralCpu filter_;
  std::deque<OctaveCpu> workers_;
  Isa isa_;
  Plane grey_;
  float contrast_ = 1;
};

}  // namespace octavo
