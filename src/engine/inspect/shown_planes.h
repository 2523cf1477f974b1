// Planes as images show them: views of planes, and the values for black and white.

#pragma once

#include <vector>

#include "engine/core/plane.h"
#include "octavo/image_view.h"

namespace octavo::inspection {

/// A view with one f32 channel. The plane must outlive it.
ImageView view_of(const Plane& plane);

struct Range {
  float low, high;
};

/// The least and the greatest value. For a plane of nearly one value: 0…1, widened to that value.
Range range_of(const Plane& plane);

/// The bound that |v| of 199 of 200 values does not reach: of all values, or of an even selection for large planes.
class UsualSize {
 public:
  void add(const Plane& plane);
  /// At least 1/1024, so that a flat image shows no noise. At least one value has been added.
  [[nodiscard]] float value() const;

 private:
  std::vector<float> sizes_;
};

}  // namespace octavo::inspection
