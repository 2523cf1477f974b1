#pragma once

#include <vector>

#include "octavo/extractor.h"
#include "octavo/geometry.h"
#include "octavo/image.h"
#include "octavo/matcher.h"

namespace octavo {

/// What `align` found on the way from two pictures to one.
struct Alignment {
  Features a, b;
  std::vector<Match> matches;
  RobustModel homography;  ///< b_from_a; `found` is false, with the reason, where the pictures do not fit
};

/// Features of both images, matches, and the homography between them.
Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust = {});

/// Image B warped onto A's frame by the homography and blended half and half where they overlap, on a canvas that holds both.
Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

/// A's frame filled from A and warped B in turn, square by square, so that edges show how well they fit.
Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

}  // namespace octavo
