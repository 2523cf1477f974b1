// The pose of two cameras from an essential matrix. E has four decompositions into a rotation and a translation
// (Hartley & Zisserman, Multiple View Geometry, 2nd ed., §9.6.2). The one for which most points lie in front of both
// cameras is the pose.

#pragma once

#include <span>

#include "octavo/multiview/geometry.h"

namespace octavo {

/// Sets the pose of the model from its matrix and its inliers among the pairs. Returns false, and leaves the model as
/// it was, if no inlier lies in front of both cameras.
bool add_pose(EssentialModel& model, std::span<const Point> a, std::span<const Point> b, const Camera& camera_a,
              const Camera& camera_b);

}  // namespace octavo
