#pragma once

#include <array>
#include <vector>

#include "octavo/extractor.h"
#include "octavo/geometry.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo {

/// What `align` found on the way from two pictures to one.
struct Alignment {
  Features a, b;
  std::vector<Match> matches;
  RobustModel homography;  ///< b_from_a; `found` is false, with the reason, where the pictures do not fit
};

/// Features of both images, matches, and the homography between them. Throws what Extractor::extract, Matcher::match
/// and estimate_homography throw; pictures that do not fit are no error.
Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust = {});

/// Image B warped onto A's frame by the homography and blended half and half where they overlap, on a canvas that holds
/// both (u8, RGB, black where neither is). 16-bit and float images are drawn as 8 bit. The canvas always holds A; of B
/// it holds what lies in front of the camera and at most max(A, B) pixels beyond A's edges, so it is never
/// larger than three times the larger picture each way, nor than 32766 pixels. A B that is not seen leaves A alone.
/// Throws Error(invalid_argument) for images that cannot be used or have a side above 32766 pixels, and for a
/// homography with an infinity or NaN.
Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

/// A's frame (u8, RGB) filled from A and warped B in turn, square by square (a twelfth of the longer side), so that
/// edges show how well they fit; where B does not reach, A is seen. Throws as `blend`.
Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

}  // namespace octavo
