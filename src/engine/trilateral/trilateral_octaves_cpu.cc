#include "engine/trilateral/trilateral_octaves_cpu.h"

#include <string>

#include "engine/trilateral/trilateral_steps.h"

namespace octavo {

namespace {

// The plan of image 0 of the first octave alone.
ScaleSpacePlan base_of(ScaleSpacePlan plan) {
  plan.step.clear();
  return plan;
}

OctaveJob base_job(const ScaleSpacePlan& base, const ImageView& image, Luma luma) {
  return {.plan = &base, .size = base.octaves[0], .image = &image, .luma = luma, .keep = {}};
}

}  // namespace

TrilateralOctavesCpu::TrilateralOctavesCpu(const ScaleSpaceOptions& options, const Isa& isa, CpuPool& pool)
    : options_(options),
      pool_(pool),
      // The steps do not depend on the size of the image.
      filter_(trilateral_steps(options, plan_scale_space(1, 1, options)), isa, pool),
      tiles_(isa, pool) {}

void TrilateralOctavesCpu::begin(const ImageView& image, const ScaleSpacePlan& plan, Plane& first) {
  if (by_contrast()) {
    filter_.make_grey(image, options_.luma, grey_);
    contrast_ = filter_.contrast(grey_);
  }
  octave_ = 0;
  octaves_ = plan.octaves.size();
  const Size size = plan.octaves[0];
  first.resize(size.width, size.height);
  const ScaleSpacePlan base = base_of(plan);
  OctaveJob job = base_job(base, image, options_.luma);
  job.keep = {&first};
  tiles_.run(job);
}

MemoryNeed TrilateralOctavesCpu::memory_for(const ImageView& image, const ScaleSpacePlan& plan) const {
  const Size first = plan.octaves[0];
  MemoryNeed need = filter_.memory_for(first.width, first.height);
  if (by_contrast()) {
    const std::uint64_t grey = Plane::bytes_of(image.width, image.height);
    need.least.host += grey;
    need.usual.host += grey;
  }
  const ScaleSpacePlan base = base_of(plan);
  need.usual.host += tiles_.bytes_for(base_job(base, image, options_.luma));
  return need;
}

void TrilateralOctavesCpu::complete(std::vector<Plane>& levels, const Watch& watch) {
  StageClock clock(nullptr);
  ++octave_;
  const bool direct = options_.trilateral_schedule == SmoothingSchedule::direct;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    pool_.stage("octave " + std::to_string(octave_) + " of " + std::to_string(octaves_) + ", image " +
                std::to_string(i) + " of " + std::to_string(levels.size() - 1));
    const int source = source_of_image(options_, static_cast<int>(i));
    const Plane& from = levels[static_cast<std::size_t>(source)];
    if (i == 1 || !direct) {
      const float sigma_r = by_contrast() ? sigma_r_of_contrast(contrast_) : filter_.sigma_r_of_gradients(from);
      filter_.begin(from, sigma_r, direct ? levels.size() - 2 : i - 1, clock);
    }
    filter_.filter(i - 1, levels[i], clock);
    if (watch) watch(static_cast<int>(i), source, filter_);
  }
}

}  // namespace octavo
