// How much of what two images show agrees with a homography.

#pragma once

#include <opencv2/core.hpp>

#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo::planes {

/// An image and its keypoints.
struct Keypoints {
  ImageSize size;
  const Features& features;
};

/// Of the places with keypoints that both images show by this homography, the share with an inlier; in the image where
/// it is greater, and 0 without inliers. Where it is small, the homography may be that of a thing that both images
/// show, and not of what fills them.
double share_with_inliers(const Keypoints& a, const Keypoints& b, const cv::Matx33d& b_from_a,
                          const PointPairs& inliers);

}  // namespace octavo::planes
