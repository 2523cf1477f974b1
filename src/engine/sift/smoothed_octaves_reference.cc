#include "engine/sift/smoothed_octaves_reference.h"

#include <algorithm>

#include "engine/scale_space/scale_space_reference.h"
#include "engine/trilateral/contrast.h"
#include "engine/trilateral/trilateral_reference.h"
#include "engine/trilateral/trilateral_steps.h"

namespace octavo::reference {

SmoothedScaleSpace smoothed_scale_space(const ImageView& image, const ScaleSpaceOptions& options,
                                        const ScaleSpacePlan& plan) {
  SmoothedScaleSpace space;
  if (options.smoothing != Smoothing::trilateral) {
    space.octaves = scale_space(image, options.luma, plan);
    return space;
  }
  const bool by_contrast = options.trilateral_range == TrilateralRange::contrast;
  if (by_contrast) {
    Plane source;
    grey(image, options.luma, source);
    space.contrast = contrast(source);
  }
  const std::vector<TrilateralPlan> steps = trilateral_steps(options, plan);
  TrilateralLevels levels;
  StageClock clock(nullptr);
  space.octaves = scale_space(image, options.luma, plan, [&](const std::vector<Plane>& images, Plane& next) {
    const int i = static_cast<int>(images.size());
    const Plane& from = images[static_cast<std::size_t>(source_of_image(options, i))];
    const float sigma_r = by_contrast ? sigma_r_of_contrast(space.contrast) : sigma_r_of_gradients(from);
    trilateral(from, steps[static_cast<std::size_t>(i) - 1], sigma_r, next, levels, clock);
  });
  return space;
}

std::uint64_t bytes_of_smoothed_scale_space(const ScaleSpaceOptions& options, const ScaleSpacePlan& plan) {
  const bool trilateral = options.smoothing == Smoothing::trilateral;
  std::uint64_t kept = 0, most = 0;
  for (const Size& size : plan.octaves) {
    kept += static_cast<std::uint64_t>(plan.levels()) * Plane::bytes_of(size.width, size.height);
    most = std::max<std::uint64_t>(most, kept + (trilateral ? bytes_of_trilateral(size.width, size.height)
                                                            : bytes_of_blur(size.width, size.height)));
  }
  return most;
}

}  // namespace octavo::reference
