// Planes as they are shown: views of them, and which values are black and white.

#pragma once

#include <vector>

#include "core/plane.h"
#include "octavo/image.h"

namespace octavo::inspection {

/// One channel f32; the plane stays where it is.
ImageView view_of(const Plane& plane);

struct Range {
  float low, high;
};

/// The least and the greatest value, or, of a plane of nearly one value, 0…1 and what lies beyond.
Range range_of(const Plane& plane);

/// What the sizes |v| of 199 of 200 values stay below: of all of them, or of an even selection of large planes.
class UsualSize {
 public:
  void add(const Plane& plane);
  /// At least 1/1024, so that a flat picture shows no noise. Something was added.
  [[nodiscard]] float value() const;

 private:
  std::vector<float> sizes_;
};

}  // namespace octavo::inspection
