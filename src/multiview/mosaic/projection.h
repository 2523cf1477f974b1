#pragma once

#include <numbers>
#include <opencv2/core.hpp>
#include <optional>

#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

inline constexpr double degrees = std::numbers::pi / 180;  ///< [radian] one of them

/// Whether a projection shows the rays of a turning camera, and no flat scene.
bool needs_turning_camera(MosaicProjection projection);

/// Whether x is a longitude [radian], so that a whole turn meets itself.
bool is_round(MosaicProjection projection);

/// The point of the projection that a ray (x right, y down, z forward) meets; none beyond its ends.
std::optional<cv::Point2d> point_of(const cv::Vec3d& ray, MosaicProjection projection);

/// The ray that meets a point, of any length, also beyond the ends; of a plane it is (x, y, 1).
cv::Vec3d ray_of(const cv::Point2d& point, MosaicProjection projection);

/// The ends of a projection.
struct Ends {
  double x, y;           ///< points have |x| and |y| up to these
  bool is_disc = false;  ///< and then √(x² + y²)
};
Ends ends_of(MosaicProjection projection);

/// [radian] the widest view that a projection shows.
double widest(MosaicProjection projection);

}  // namespace octavo::mosaic
