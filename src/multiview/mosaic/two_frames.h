#pragma once

#include "multiview/mosaic/frames.h"

namespace octavo::mosaic {

/// Two images as frames: the second is in the first's.
Frames two_frames(const cv::Matx33d& b_from_a, ImageSize size_a, ImageSize size_b);

/// The homography [pixel] of two frames.
cv::Matx33d homography_of(const Frames& frames, ImageSize size_a, ImageSize size_b);

/// At most so many of the matches, evenly.
PairPoints some_of(const PairPoints& points, std::size_t most);

/// The matches whose distances are at most `threshold` pixels.
PairPoints agreeing(const Frames& frames, const PairPoints& points, double threshold);

}  // namespace octavo::mosaic
