// Planes as images.

#pragma once

#include <vector>

#include "engine/core/plane.h"
#include "octavo/image_view.h"

namespace octavo {

/// Views of the planes, which must outlive them.
inline std::vector<ImageView> views_of(const std::vector<Plane>& planes) {
  std::vector<ImageView> views;
  for (const Plane& plane : planes) {
    views.push_back({plane.row(0), plane.width(), plane.height(), 1, PixelType::f32,
                     plane.stride() * static_cast<std::ptrdiff_t>(sizeof(float))});
  }
  return views;
}

}  // namespace octavo
