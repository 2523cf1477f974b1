#include "octavo/keypoint.h"

#include <cmath>

namespace octavo {

std::array<double, 4> affine_matrix(const Keypoint& k) {
  if (has_ellipse(k)) return {k.a11, k.a12, k.a21, k.a22};
  const double cosine = k.scale * std::cos(double{k.orientation}), sine = k.scale * std::sin(double{k.orientation});
  return {cosine, -sine, sine, cosine};
}

}  // namespace octavo
