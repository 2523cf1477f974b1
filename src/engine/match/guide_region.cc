#include "engine/match/guide_region.h"

#include <cmath>

namespace octavo {

GuideRegion::GuideRegion(const Guide& guide, const Keypoint& a) : model_(guide.model), radius_(guide.radius) {
  const double x = a.x, y = a.y;
  const double* const m = guide.b_from_a;
  const double p[3] = {m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5], m[6] * x + m[7] * y + m[8]};
  if (model_ == Guide::Model::homography) {
    shape_ = {p[0] / p[2], p[1] / p[2], 1};
  } else {
    const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1]);
    shape_ = {p[0] / norm, p[1] / norm, p[2] / norm};
  }
  exists_ = std::isfinite(shape_[0]) && std::isfinite(shape_[1]) && std::isfinite(shape_[2]);
}

}  // namespace octavo
