#include "engine/trilateral/trilateral_octaves_gpu.h"

#include <utility>
#include <vector>

#include "engine/trilateral/trilateral_steps.h"

namespace octavo {

TrilateralOctavesGpu::TrilateralOctavesGpu(const ScaleSpaceOptions& options, std::shared_ptr<Gpu> gpu)
    : options_(options), filter_(trilateral_steps(options, plan_scale_space(1, 1, options)), std::move(gpu)) {}

void TrilateralOctavesGpu::prepare(const PyramidGpu& pyramid) {
  std::vector<Size> octaves;
  for (const OctaveLayout& o : pyramid.layout()) octaves.push_back({o.width, o.height});
  filter_.prepare(octaves);
}

void TrilateralOctavesGpu::enqueue(GpuQueue& queue, PyramidGpu& pyramid, int image_width, int image_height) {
  const bool direct = options_.trilateral_schedule == SmoothingSchedule::direct;
  pyramid.enqueue_first(queue);
  if (by_contrast()) {
    filter_.enqueue_contrast(queue, {pyramid.grey(), 0, pyramid.grey_stride()}, image_width, image_height);
  }
  const std::size_t octaves = pyramid.layout().size();
  for (std::size_t octave = 0; octave < octaves; ++octave) {
    if (octave > 0) pyramid.enqueue_halved(queue, static_cast<int>(octave));
    filter_.use(octave);
    if (direct) {
      enqueue_direct(queue, pyramid, octave);
    } else {
      enqueue_chained(queue, pyramid, octave);
    }
  }
  for (std::size_t octave = 0; octave < octaves; ++octave) queue.join(octave);
}

TrilateralGpu::Rows TrilateralOctavesGpu::image(const PyramidGpu& pyramid, std::size_t octave, int level) const {
  const OctaveLayout& o = pyramid.layout()[octave];
  return {pyramid.levels(), o.first + level * o.level_floats, o.stride};
}

void TrilateralOctavesGpu::enqueue_direct(GpuQueue& queue, const PyramidGpu& pyramid, std::size_t octave) {
  const int levels = pyramid.plan().levels(), layers = pyramid.plan().layers;
  const TrilateralGpu::Rows from = image(pyramid, octave, 0);
  const auto filter = [&](GpuQueue& on, int level) {
    filter_.enqueue_filter(on, from, image(pyramid, octave, level), static_cast<std::size_t>(level) - 1);
  };
  if (!by_contrast()) filter_.enqueue_range(queue, from);
  filter_.enqueue_levels(queue, from, static_cast<std::size_t>(levels) - 2);
  filter(queue, layers);
  GpuQueue& others = by_contrast() ? queue.fork(octave) : queue;
  for (int level = 1; level < levels; ++level) {
    if (level != layers) filter(others, level);
  }
}

void TrilateralOctavesGpu::enqueue_chained(GpuQueue& queue, const PyramidGpu& pyramid, std::size_t octave) {
  for (int level = 1; level < pyramid.plan().levels(); ++level) {
    const std::size_t step = static_cast<std::size_t>(level) - 1;
    const TrilateralGpu::Rows from = image(pyramid, octave, source_of_image(options_, level));
    if (!by_contrast()) filter_.enqueue_range(queue, from);
    filter_.enqueue_levels(queue, from, step);
    filter_.enqueue_filter(queue, from, image(pyramid, octave, level), step);
  }
}

const GpuBuffer* TrilateralOctavesGpu::contrast() const { return by_contrast() ? &filter_.contrast() : nullptr; }

}  // namespace octavo
