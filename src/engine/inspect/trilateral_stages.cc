#include "engine/inspect/trilateral_stages.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/inspect/shown_planes.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/trilateral/trilateral_reference.h"

namespace octavo::inspection {

TrilateralStages::TrilateralStages(int octave, double sigma, int layers, const ShowPlane& show,
                                   const Inspection& so_far)
    : octave_(octave), sigma_(sigma), layers_(layers), show_(show), so_far_(so_far) {}

void TrilateralStages::show(int image, const Plane& made, int source, const Plane& from, const TrilateralCpu& filter) {
  if (source != source_) show_source(source, from, filter);
  if (filter.smoothed_gradients(pixels_)) {
    StagePlane smoothed = plane("smoothed_gradient", image);
    smoothed.white = steepest_;
    show(smoothed, pixels_);
  }
  StagePlane detail = plane("detail", image);
  reference::difference(made, from, pixels_);
  UsualSize usual;
  usual.add(pixels_);
  detail.white = usual.value();
  detail.black = -detail.white;
  detail.is_signed = true;
  show(detail, pixels_);
}

void TrilateralStages::show_source(int source, const Plane& from, const TrilateralCpu& filter) {
  source_ = source;
  StagePlane gradient = plane("gradient", source);
  reference::gradient_sizes(from, pixels_);
  UsualSize usual;
  usual.add(pixels_);
  gradient.white = steepest_ = usual.value();
  show(gradient, pixels_);

  StagePlane region = plane("region", source);
  const TrilateralLevels& levels = filter.levels();
  pixels_.resize(levels.width, levels.height);
  for (int y = 0; y < levels.height; ++y) {
    std::copy_n(levels.level.begin() + std::ptrdiff_t{y} * levels.width, levels.width, pixels_.row(y));
  }
  region.white = std::max<float>(1, *std::max_element(levels.level.begin(), levels.level.end()));
  show(region, pixels_);
}

StagePlane TrilateralStages::plane(const char* stage, int level) const {
  return {.stage = stage, .octave = octave_, .level = level, .sigma = sigma_ * std::exp2(double{1} * level / layers_)};
}

void TrilateralStages::show(StagePlane shown, const Plane& pixels) {
  shown.pixels = view_of(pixels);
  show_(shown, so_far_);
}

}  // namespace octavo::inspection
