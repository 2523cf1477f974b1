// Features of an image that a homography draws in another frame.

#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/geometry/visible_part.h"
#include "octavo/extractor.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace octavo {

/// The part and what descriptors see around it.
cv::Rect box_of(const planes::Polygon& part);

/// The features in `part` of the frame; only the pixels in `box` are drawn. Keypoints are in the frame.
Features features_of_drawn(Extractor& extractor, const ImageView& image, const cv::Matx33d& frame_from_image,
                           const planes::Polygon& part, const cv::Rect& box);

/// Keypoints of the frame, in the image that was drawn: ellipses.
void bring_back(std::vector<Keypoint>& keypoints, const cv::Matx33d& image_from_frame);

}  // namespace octavo
