// The trilateral filter on the CPU. The scaled image lies in a plane with a margin as wide as the largest window, full
// of a value that nothing is near: its taps have the weight 0, so that no loop asks where the image ends. Each step
// goes through tiles that fit the cache. In a tile the pixels are put in order of their windows, and a vector takes the
// next so many of them, wherever they are: all of its lanes then have a window of one size, or nearly.

#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "core/stage_clock.h"
#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "trilateral/contrast.h"
#include "trilateral/trilateral.h"
#include "trilateral/trilateral_tile.h"

namespace octavo {

/// Filters planes of grey values by any of a set of filters, which share its buffers: once it has seen the largest, no
/// plane costs an allocation but that of the result.
class TrilateralCpu {
 public:
  TrilateralCpu(std::vector<TrilateralPlan> plans, Isa isa, CpuPool& pool);

  /// The image in grey.
  void make_grey(const ImageView& image, Luma luma, Plane& grey);

  /// C of an image, and 0.15 times the range of its gradients' magnitudes.
  float contrast(const Plane& grey);
  float sigma_r_of_gradients(const Plane& grey);

  /// The steps before the windows, for filters by this plan and those that reach less. The plane stays where it is
  /// until the last of them.
  void begin(const Plane& grey, float sigma_r, std::size_t plan, StageClock& clock);
  /// The rest. `out` is another plane.
  void filter(std::size_t plan, Plane& out, StageClock& clock);

  [[nodiscard]] const TrilateralLevels& levels() const { return levels_; }  ///< of the plane of `begin`

  /// The sizes of the smoothed gradients of the last `filter`, in grey values a pixel; false if it smoothed none,
  /// or another image has begun since.
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
  int margin_ = 0;  // as the largest window reaches
  Isa isa_;
  CpuPool* pool_;
  std::deque<TrilateralScratch> workers_;
  std::vector<GradientRange> ranges_;
  std::vector<ContrastHistogram> histograms_;
  const Plane* grey_ = nullptr;
  float unscale_ = 0;
  bool is_smoothed_ = false;  // gx_ and gy_ are there
  Plane scaled_, gx_, gy_;
  TrilateralImage image_{};
  TrilateralLevels levels_;
};

std::unique_ptr<TrilateralEngine> make_trilateral_cpu(const TrilateralOptions& options, Isa isa, CpuPool pool);

}  // namespace octavo
