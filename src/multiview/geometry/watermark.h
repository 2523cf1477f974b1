// What stands at the same pixels of two images: a caption, a logo, a frame, the date of a camera. Its keypoints match
// and do not move, whatever the images show (COLMAP leaves such pairs out as watermarks). A camera that stands still
// gives pairs that do not move either; there the rest of the images agrees too.

#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <span>

#include "octavo/multiview/geometry.h"

namespace octavo::planes {

/// Of the inliers (1 for each pair that is one), the share whose two points are within a pixel; 0 if there are none.
double share_standing_still(const PointPairs& pairs, std::span<const std::uint8_t> inliers);

/// Of the places where an image has texture and neither is clipped, the share where the pixels of both agree, up to
/// gain and offset, in copies with this `longest_side` [pixel]: noise goes, and captions stay. The images are grey (u8,
/// u16, or floats 0…1) and of one size. 1 if there are hardly such places. Pairs with overlays have 0.04 to 0.37, those
/// of still cameras 0.31 (something large moves) to 1.
double share_alike_in_place(const cv::Mat& grey_a, const cv::Mat& grey_b, int longest_side = 256);

/// Whether inliers may be those of a watermark: the images have one size, most inliers stand still, and less than 30 %
/// of the rest agrees at its place, also in coarse copies. `is_local` tells that inliers lie in a small part of the
/// images, which makes it less than half; else what agrees may be the background of something large that moves.
bool is_watermark(const PointPairs& pairs, std::span<const std::uint8_t> inliers, const cv::Mat& grey_a,
                  const cv::Mat& grey_b, bool is_local = false);

}  // namespace octavo::planes
