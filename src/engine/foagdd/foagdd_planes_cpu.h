// The stages of FOAGDD for whole images at every scale, with the arithmetic of the CPU. An extraction needs only the
// measures of the first scale as a whole; an inspection shows everything.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/foagdd/foagdd.h"
#include "engine/foagdd/foagdd_cpu.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The keys of the measured pixels of an image.
class FoagddKeys {
 public:
  FoagddKeys() = default;
  explicit FoagddKeys(const FoagddRegion& region);

  [[nodiscard]] const FoagddRegion& region() const { return region_; }
  /// The key of a pixel of the region.
  [[nodiscard]] std::int32_t at(int row, int column) const {
    return keys_[static_cast<std::size_t>((row - region_.row_begin) * stride_ + column - region_.column_begin)];
  }
  [[nodiscard]] std::int32_t* data() { return keys_.data(); }
  /// [byte] that the keys of a region take.
  static std::size_t bytes_of(const FoagddRegion& region);

 private:
  FoagddRegion region_{};
  std::ptrdiff_t stride_ = 0;
  std::vector<std::int32_t> keys_;
};

/// Computes the stages of an image. The image is extended (reference::extended) and large enough for corners.
class FoagddPlanesCpu {
 public:
  FoagddPlanesCpu(const FoagddPlan& plan, const Isa& isa, CpuPool& pool);

  /// The responses of all pixels at a scale, counted from 0: one plane of the image's size for each direction.
  void respond(const Plane& extended, int scale, std::vector<Plane>& responses);
  /// The keys of the measured region at a scale.
  void measure(const Plane& extended, int scale, FoagddKeys& keys);

  /// [byte] of the buffers of all threads.
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] FoagddFilterOnImage filter(int scale, const Plane& extended) const;

  const FoagddPlan& plan_;
  CpuPool& pool_;
  std::deque<FoagddMeasuresCpu> measures_;  // one for each thread
};

}  // namespace octavo
