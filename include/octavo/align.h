#pragma once

#include <array>
#include <vector>

#include "octavo/extractor.h"
#include "octavo/geometry.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

namespace octavo {

/// The intermediate results of an alignment.
struct Alignment {
  Features a, b;
  std::vector<Match> matches;
  /// b_from_a. If the images do not fit, `found` is false and `reason` says why.
  RobustModel homography;
};

/// Computes the features of both images, their matches and the homography between them. Images that do not fit are not
/// an error. `progress` is told the four steps: the features of A, those of B, the matches, the homography. Throws what
/// Extractor::extract, Matcher::match and estimate_homography throw.
Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust = {}, const ProgressSink& progress = {});

/// Warps image B onto the frame of A by the homography and blends the two half and half where they overlap. The result
/// is a canvas (u8, RGB) that holds both images and is black elsewhere. 16-bit and float images are drawn with 8 bits.
/// The canvas holds all of A. It holds the part of B that lies in front of the camera and at most max(A, B) pixels
/// beyond the edges of A. Each side of the canvas is thus at most three times that of the larger image, and at most
/// 32766 pixels. If no part of B is visible, the result is A.
/// Throws Error(invalid_argument) for an invalid image, an image with a side above 32766 pixels, and a homography with
/// an infinity or NaN.
Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

/// The frame of A (u8, RGB) as a checkerboard of A and the warped B. The edges between the squares show how well the
/// images fit. A square's side is a twelfth of the longer side of A. Where B has no pixels, the result shows A. Throws
/// what `blend` throws.
Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

}  // namespace octavo
