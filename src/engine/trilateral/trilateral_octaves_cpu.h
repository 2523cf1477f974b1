// Octaves of trilateral smoothing on the CPU, whole images at a time: σ_r may depend on the whole image, and the
// windows reach too far for tiles that stay in the cache.

#pragma once

#include <functional>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/core/plane.h"
#include "engine/scale_space/octave_tiles_cpu.h"
#include "engine/scale_space/plan.h"
#include "engine/trilateral/trilateral_cpu.h"

namespace OCTAVO_INTERNAL_API octavo {

class TrilateralOctavesCpu {
 public:
  /// `pool` must outlive the object.
  TrilateralOctavesCpu(const ScaleSpaceOptions& options, const Isa& isa, CpuPool& pool);

  /// Makes image 0 of the first octave and measures the contrast.
  void begin(const ImageView& image, const ScaleSpacePlan& plan, Plane& first);

  /// Called for each new image: `image`, made from `source` by the last run of `filter`.
  using Watch = std::function<void(int image, int source, const TrilateralCpu& filter)>;

  /// Makes the other S + 2 images of an octave from image 0. All have the octave's size.
  void complete(std::vector<Plane>& levels, const Watch& watch = nullptr);

  /// The memory of this object for images of the shape of `image`, which has an octave.
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, const ScaleSpacePlan& plan) const;

  /// The factor of SIFT's contrast limits.
  [[nodiscard]] float contrast() const { return contrast_; }

 private:
  [[nodiscard]] bool by_contrast() const { return options_.trilateral_range == TrilateralRange::contrast; }

  ScaleSpaceOptions options_;
  CpuPool& pool_;
  TrilateralCpu filter_;
  OctaveTilesCpu tiles_;
  Plane grey_;
  float contrast_ = 1;
  std::size_t octave_ = 0, octaves_ = 0;  // of the image, for the progress
};

}  // namespace octavo
