#pragma once

// Where a place of a frame is, by the shares of its width and height. So frames of different sizes can be compared.

#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo::places {

struct Share {
  double x = 0, y = 0;  ///< 0…1
};

inline Share share_of(const Point& point, const ImageSize& size) {
  return {(point.x + 0.5) / size.width, (point.y + 0.5) / size.height};
}

inline Share share_of(const Keypoint& keypoint, const ImageSize& size) {
  return share_of(Point{keypoint.x, keypoint.y}, size);
}

/// Whether it is in the middle, which is half of the frame along each side. What is laid over frames is around it.
inline bool is_inner(const Share& share) {
  return share.x >= 0.25 && share.x < 0.75 && share.y >= 0.25 && share.y < 0.75;
}

}  // namespace octavo::places
