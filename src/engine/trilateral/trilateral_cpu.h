// The trilateral filter on the CPU. The scaled image lies in a plane with a margin as wide as the largest window. The
// margin is filled with a value far from all others: its taps have the weight 0, so no loop tests for the edge of the
// image. Each step processes tiles that fit the cache. The pixels of a tile are sorted by their windows, and each
// vector takes the next pixels of the order, wherever they are: all of its lanes then have windows of the same or
// nearly the same size.

#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/stage_clock.h"
#include "engine/trilateral/contrast.h"
#include "engine/trilateral/trilateral.h"
#include "engine/trilateral/trilateral_tile.h"
#include "octavo/device.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Filters planes of grey values with any of a set of filters, which share its buffers. After the largest plane only
/// the result of a filter costs an allocation.
class TrilateralCpu {
 public:
  TrilateralCpu(std::vector<TrilateralPlan> plans, Isa isa, CpuPool& pool);

  /// The memory of this object for planes of this size.
  [[nodiscard]] MemoryNeed memory_for(int width, int height) const;

  /// Converts the image to grey.
  void make_grey(const ImageView& image, Luma luma, Plane& grey);

  /// C of an image, and 0.15 times the range of its gradients' magnitudes.
  float contrast(const Plane& grey);
  float sigma_r_of_gradients(const Plane& grey);

  /// Runs the steps before the windows, for filters with this plan and those with a smaller reach. The plane must stay
  /// valid until the last of these filters is done.
  void begin(const Plane& grey, float sigma_r, std::size_t plan, StageClock& clock);
  /// Runs the remaining steps. `out` is another plane than that of `begin`.
  void filter(std::size_t plan, Plane& out, StageClock& clock);

  [[nodiscard]] const TrilateralLevels& levels() const { return levels_; }  ///< of the plane of `begin`

  /// Writes the magnitudes of the smoothed gradients of the last `filter`, in grey values per pixel. Returns false if
  /// it smoothed none, or if another image has begun since.
  bool smoothed_gradients(Plane& sizes) const;

 private:
  // A plan, and its tables from −reach to reach.
  struct Filter {
    TrilateralPlan plan;
    std::vector<float> steps, exponents, row_weights;
    std::vector<std::int32_t> discs;
  };

  template <class Work>
  void in_chunks(int count, const Work& work);
  template <class Work>
  void in_tiles(int width, int height, const Work& work);
  void scale(float by);
  void find_levels(int most, bool scaled);
  void smooth(const TrilateralPlan& plan);

  std::vector<Filter> filters_;
  int margin_ = 0;  // the reach of the largest window
  Isa isa_;
  CpuPool* pool_;
  std::deque<TrilateralScratch> workers_;
  std::vector<GradientRange> ranges_;
  std::vector<ContrastHistogram> histograms_;
  const Plane* grey_ = nullptr;
  float unscale_ = 0;
  bool is_smoothed_ = false;  // gx_ and gy_ are valid
  Plane scaled_, gx_, gy_;
  TrilateralImage image_{};
  TrilateralLevels levels_;
};

std::unique_ptr<TrilateralEngine> make_trilateral_cpu(const TrilateralOptions& options, Isa isa, CpuPool pool);

}  // namespace octavo
