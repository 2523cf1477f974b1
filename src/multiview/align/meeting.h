#pragma once

#include <opencv2/core.hpp>

#include "multiview/geometry/visible_part.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace octavo {

/// What is known of the two images.
struct TwoViews {
  const ImageView &image_a, &image_b;
  const Features &features_a, &features_b;  ///< of the images themselves
};

/// A homography between two images and where they meet.
struct Meeting {
  cv::Matx33d to_from;                     ///< from the image that is drawn to the other
  planes::Polygon drawn_part, other_part;  ///< the part of each image that the other shows
};

/// Empty parts if the images do not meet, or are seen from behind.
Meeting meeting_of(const cv::Matx33d& b_from_a, const ImageView& a, const ImageView& b);

}  // namespace octavo
