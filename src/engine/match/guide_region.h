// The region of image b that may contain the partner of a point of image a: the meaning of a Guide. It is computed in
// double precision, in the order written here, once on the host, so it is the same on every device.
//
// Homography: (X, Y, W) = H·(x, y, 1); b is allowed if (bx − X/W)² + (by − Y/W)² ≤ radius².
// Fundamental matrix: (l, m, n) = F·(x, y, 1) / √(l² + m²); b is allowed if |l·bx + m·by + n| ≤ radius.
// If W = 0, l = m = 0 or a number is not finite, no b is allowed.

#pragma once

#include <array>
#include <cmath>

#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo {

class GuideRegion {
 public:
  GuideRegion(const Guide& guide, const Keypoint& a);

  /// A point of image b [pixel].
  [[nodiscard]] bool contains(double x, double y) const {
    if (!exists_) return false;
    if (model_ == Guide::Model::homography) {
      const double dx = x - shape_[0], dy = y - shape_[1];
      return dx * dx + dy * dy <= radius_ * radius_;
    }
    return std::abs(shape_[0] * x + shape_[1] * y + shape_[2]) <= radius_;
  }

  /// If false, the region contains nothing.
  [[nodiscard]] bool exists() const { return exists_; }
  [[nodiscard]] Guide::Model model() const { return model_; }
  /// Homography: X/W, Y/W, 1. Fundamental: l, m, n with l² + m² = 1.
  [[nodiscard]] const std::array<double, 3>& shape() const { return shape_; }
  [[nodiscard]] double radius() const { return radius_; }

 private:
  Guide::Model model_;
  double radius_;
  std::array<double, 3> shape_;
  bool exists_;
};

}  // namespace octavo
