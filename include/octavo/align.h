#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/extractor.h"
#include "octavo/geometry.h"
#include "octavo/image.h"
#include "octavo/image_size.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

namespace octavo {

/// A reason to doubt that a homography relates two pictures, although enough pairs agree with it to rule out chance.
struct Doubt {
  enum class Kind {
    few_inliers,  ///< distinct inliers ≤ 8 + 0.3·(distinct matches in the overlap) (Brown & Lowe, IJCV 2007)
    folded,       ///< inliers lie on both sides of the horizon, or the homography mirrors
    /// the scene has depth and the camera moved: more than 8 + 0.1·n of the n matches that agree with a fundamental
    /// matrix are farther than twice the threshold from the homography
    parallax,
    uncertain,            ///< the standard deviation of a mapped point of the overlap exceeds the threshold
    extreme_perspective,  ///< the scale changes by more than a factor of 8 within the overlap
  };
  Kind kind;
  std::string sentence;  ///< for people, without a full stop
};

/// The word of a kind for programs: its name above.
std::string_view word(Doubt::Kind kind);

/// The reasons to doubt a homography that estimate_homography found for these pairs, with the same options, between
/// pictures of sizes `a` and `b`; none if it is not found. Throws what estimate_fundamental throws.
std::vector<Doubt> doubts_of(const RobustModel& homography, const PointPairs& pairs, ImageSize a, ImageSize b,
                             const RobustOptions& robust = {});

/// The intermediate results of an alignment.
struct Alignment {
  Features a, b;
  std::vector<Match> matches;
  /// b_from_a. If the images do not fit, `found` is false and `reason` says why.
  RobustModel homography;
  std::vector<Doubt> doubts;
};

/// Computes the features of both images, their matches and the homography between them. Images that do not fit are not
/// an error. `progress` is told the four steps: the features of A, those of B, the matches, the homography. Throws what
/// Extractor::extract, Matcher::match and estimate_homography throw.
Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust = {}, const ProgressSink& progress = {});

/// Warps image B onto the frame of A by the homography and blends the two half and half where they overlap. The result
/// is a canvas (u8, RGB and alpha) that holds both images. Elsewhere it is transparent, and white for programs that
/// ignore alpha. 16-bit and float images are drawn with 8 bits.
/// The canvas is the bounding box of A and of the part of B that lies in front of the camera, at most max(A, B) pixels
/// beyond the edges of A, and where B is drawn at most 4 times as large (in length) as in the middle of the overlap.
/// Each side of the canvas is thus at most three times that of the larger image, and at most 32766 pixels. If no part
/// of B is visible, the result is A.
/// Throws Error(invalid_argument) for an invalid image, an image with a side above 32766 pixels, and a homography with
/// an infinity or NaN.
Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

/// The frame of A (u8, RGB) as a checkerboard of A and the warped B. The edges between the squares show how well the
/// images fit. A square's side is a twelfth of the longer side of A. Where B has no pixels, the result shows A. Throws
/// what `blend` throws.
Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a);

}  // namespace octavo
