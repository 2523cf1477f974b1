#include "sift/trilateral_octaves_cpu.h"

#include "sift/trilateral_steps.h"

namespace octavo {

TrilateralOctavesCpu::TrilateralOctavesCpu(const SiftOptions& options, const Isa& isa, CpuPool& pool)
    : options_(options),
      pool_(pool),
      // The steps do not depend on the size of the image.
      filter_(trilateral_steps(options, plan_scale_space(1, 1, options)), isa, pool),
      isa_(isa) {}

void TrilateralOctavesCpu::begin(const ImageView& image, const ScaleSpacePlan& plan, Plane& first) {
  while (workers_.size() < static_cast<std::size_t>(pool_.threads())) workers_.emplace_back(isa_);
  if (options_.trilateral_range == TrilateralRange::contrast) {
    filter_.make_grey(image, options_.luma, grey_);
    contrast_ = filter_.contrast(grey_);
  }
  ScaleSpacePlan base = plan;
  base.step.clear();
  const Size size = plan.octaves[0];
  first.resize(size.width, size.height);
  const OctaveJob job{.plan = &base, .size = size, .image = &image, .luma = options_.luma, .keep = {&first}};
  const std::vector<Tile> tiles = cut_into_tiles(size, pool_.threads());
  pool_.parallel_for(static_cast<int>(tiles.size()), [&](int i, int worker) {
    workers_[static_cast<std::size_t>(worker)].run(job, tiles[static_cast<std::size_t>(i)], nullptr);
  });
}

void TrilateralOctavesCpu::complete(std::vector<Plane>& levels, const Watch& watch) {
  StageClock clock(nullptr);
  const bool direct = options_.trilateral_schedule == SmoothingSchedule::direct;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const int source = source_of_image(options_, static_cast<int>(i));
    const Plane& from = levels[static_cast<std::size_t>(source)];
    if (i == 1 || !direct) {
      const float sigma_r = options_.trilateral_range == TrilateralRange::contrast ? sigma_r_of_contrast(contrast_)
                                                                                   : filter_.sigma_r_of_gradients(from);
      filter_.begin(from, sigma_r, direct ? levels.size() - 2 : i - 1, clock);
    }
    filter_.filter(i - 1, levels[i], clock);
    if (watch) watch(static_cast<int>(i), source, filter_);
  }
}

}  // namespace octavo
