#include "match/guide_region.h"

#include <cmath>
#include <string>

#include "core/check.h"

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

void validate(const Guide& guide) {
  check_range("guide model", static_cast<int>(guide.model), 0, 1);
  check_range("guide radius", guide.radius, 1e-6, 1e6);
  for (int i = 0; i < 9; ++i) {
    check_range("guide b_from_a[" + std::to_string(i) + "]", guide.b_from_a[i], -1e100, 1e100);
  }
}

}  // namespace octavo
