#pragma once

#include <opencv2/core.hpp>

#include "multiview/geometry/inlier_count.h"
#include "multiview/geometry/parallax.h"
#include "octavo/multiview/geometry.h"

namespace octavo {

/// What speaks for and against a homography between two images. Keypoints of several orientations give pairs at the
/// same places; these count once.
struct Evidence {
  planes::InlierCount count{};  ///< of the overlap
  int behind = 0;               ///< inliers behind the camera, or mirrored
  double uncertainty = 0;       ///< [pixel of B] largest standard deviation of a mapped point of the overlap
  planes::Parallax parallax{};  ///< what a moving camera explains, and the homography does not
  double least_scale = 1, greatest_scale = 1;  ///< pixels of B on one of A, along a side, in the overlap
};

/// What a moving camera explains of pairs that were sought within `radius` [pixel] of the homography.
planes::Parallax parallax_within(const RobustModel& homography, const PointPairs& pairs, const RobustOptions& robust,
                                 double radius);

/// The model must be found. `a` and `b` are the images' sizes; `radius` is that of parallax_within.
Evidence evidence(const RobustModel& homography, const PointPairs& pairs, cv::Size a, cv::Size b,
                  const RobustOptions& robust, double radius);

}  // namespace octavo
