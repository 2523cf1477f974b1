#include "sift/trilateral_octaves_gpu.h"

#include <utility>

#include "sift/trilateral_steps.h"

namespace octavo {

TrilateralOctavesGpu::TrilateralOctavesGpu(const SiftOptions& options, std::shared_ptr<Gpu> gpu)
    : options_(options), filter_(trilateral_steps(options, plan_scale_space(1, 1, options)), std::move(gpu)) {}

void TrilateralOctavesGpu::prepare(const PyramidGpu& pyramid) {
  const OctaveLayout& largest = pyramid.layout().front();
  filter_.prepare(largest.width, largest.height);
}

void TrilateralOctavesGpu::enqueue(GpuQueue& queue, PyramidGpu& pyramid, int image_width, int image_height) {
  const bool by_contrast = options_.trilateral_range == TrilateralRange::contrast;
  const bool direct = options_.trilateral_schedule == SmoothingSchedule::direct;
  const int levels = pyramid.plan().levels();
  pyramid.enqueue_first(queue);
  if (by_contrast) {
    filter_.enqueue_contrast(queue, {pyramid.grey(), 0, pyramid.grey_stride()}, image_width, image_height);
  }
  for (std::size_t octave = 0; octave < pyramid.layout().size(); ++octave) {
    const OctaveLayout& o = pyramid.layout()[octave];
    const auto image = [&](int level) {
      return TrilateralGpu::Rows{pyramid.levels(), o.first + level * o.level_floats, o.stride};
    };
    if (octave > 0) pyramid.enqueue_halved(queue, static_cast<int>(octave));
    filter_.resize(o.width, o.height);
    for (int level = 1; level < levels; ++level) {
      const std::size_t step = static_cast<std::size_t>(level) - 1;
      const TrilateralGpu::Rows from = image(source_of_image(options_, level));
      if (level == 1 || !direct) {
        if (!by_contrast) filter_.enqueue_range(queue, from);
        filter_.enqueue_levels(queue, from, direct ? static_cast<std::size_t>(levels) - 2 : step);
      }
      filter_.enqueue_filter(queue, from, image(level), step);
    }
  }
}

const GpuBuffer* TrilateralOctavesGpu::contrast() const {
  return options_.trilateral_range == TrilateralRange::contrast ? &filter_.contrast() : nullptr;
}

}  // namespace octavo
