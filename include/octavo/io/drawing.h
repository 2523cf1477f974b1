#pragma once

#include <cstdint>
#include <span>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

// Drawings of keypoints and matches.

namespace OCTAVO_API octavo {

/// The image (u8, RGB, its own size, slightly darkened) with every keypoint as a circle of radius `scale`, or as its
/// ellipse, at least large enough to be seen, and a line along its orientation. Colours tell the scale, from blue
/// (small) to red (large). Lines grow with the image. Throws Error(invalid_argument) for an image that cannot be used.
Image draw_keypoints(const ImageView& image, std::span<const Keypoint> keypoints);

/// Both images (u8, RGB) side by side, top-aligned, with a line per match; lines of pairs whose `inliers` entry is 0
/// are left out where `inliers` is not empty. A line's colour tells the place in image A, so that a match that goes
/// elsewhere than its neighbours shows. Throws Error(invalid_argument) for images that cannot be used, for an index
/// without a keypoint, and for `inliers` of another length than `matches`.
Image draw_matches(const ImageView& image_a, const Features& a, const ImageView& image_b, const Features& b,
                   std::span<const Match> matches, std::span<const std::uint8_t> inliers = {});

}  // namespace octavo
