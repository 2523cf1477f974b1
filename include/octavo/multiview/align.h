#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/detectors.h"
#include "octavo/extractor.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"

namespace OCTAVO_API octavo {

/// A reason to doubt that a homography relates two images, although enough pairs agree with it to rule out chance.
struct AlignmentWarning {
  /// What is doubtful.
  enum class Kind {
    few_inliers,  ///< distinct inliers ≤ 8 + 0.3·(distinct matches in the overlap) (Brown & Lowe, IJCV 2007)
    folded,       ///< inliers lie on both sides of the horizon, or the homography mirrors
    /// the scene has depth and the camera moved: more than 8 + 0.1·n of the n matches that agree with a fundamental
    /// matrix are farther than twice the threshold from the homography
    parallax,
    uncertain,            ///< the standard deviation of a mapped point of the overlap exceeds the threshold
    extreme_perspective,  ///< the scale changes by more than a factor of 8 within the overlap
    /// less than 30 % of the places with keypoints in the overlap have an inlier, or inliers gather in a part of it and
    /// the pixels differ beside it: the homography may be that of a small plane among others
    local,
    /// most inliers are within a pixel of the same place in both images, and the rest does not agree there: a caption,
    /// a logo or a frame, perhaps
    watermark,
    /// more than 8 + 0.1·n of n matches agree with a second homography, five thresholds from the first: something
    /// moved, or the scene has several planes
    second_motion,
    /// of align_anew: another homography has a quarter of the inliers or more, as where a pattern repeats
    undecidable,
    /// of align_anew: the homography turns the image over, and matches agree with the mirror image of B alone
    mirrored,
  };
  Kind kind;             ///< for programs
  std::string sentence;  ///< for people, without a full stop
};

/// The word of a kind for programs: its name above.
std::string_view word(AlignmentWarning::Kind kind);

/// The reasons to doubt a homography that estimate_homography found for these pairs, with the same options, between
/// images of sizes `a` and `b`; none if it is not found. `radius` [pixel] is how far from where the homography puts
/// them pairs were sought, if not everywhere: more wrong ones then lie on an epipolar line. Throws what
/// estimate_fundamental throws.
std::vector<AlignmentWarning> warnings_of(const RobustModel& homography, const PointPairs& pairs, ImageSize a,
                                          ImageSize b, const RobustOptions& robust = {},
                                          double radius = std::numeric_limits<double>::infinity());

/// The intermediate results of an alignment.
struct Alignment {
  Features a, b;               ///< of the two images
  std::vector<Match> matches;  ///< of `a` with `b`; RobustModel::inliers tells which agree
  /// b_from_a. If the images do not fit, `found` is false and `reason` says why. Where align_anew brought the images
  /// together, the error of an inlier is at most the threshold in pixels of the image that is coarser in each
  /// direction.
  RobustModel homography;
  std::vector<AlignmentWarning> warnings;  ///< empty: there is no doubt, or no homography
  /// The views of both images that were needed to find it. With views, and where align_anew says so, `a` and `b` are
  /// the features of the image that is compressed less, drawn in the frame of the other, and of that.
  Views views = Views::none;
  /// Whether it is align_anew's, and not what `align` found: `a`, `b` and `matches` are then more.
  bool retried = false;
};

/// Computes the features of both images, their matches and the homography between them. What alpha hides of an image
/// (less than half) has no keypoints. Images that do not fit are not an error. `progress` is told the four steps: the
/// features of A, those of B, the matches, the homography. Throws what Extractor::extract, Matcher::match and
/// estimate_homography throw.
Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust = {}, const ProgressSink& progress = {});

/// What align_anew makes extractors and matchers of.
struct AlignTools {
  DetectorOptions detector{};
  MatchOptions match{};
  DeviceOptions device{};
};

/// Aligns images of which `plain` is what `align` found, where that is nothing or has a doubt that more matches can
/// lift: it may still be near what is right, or views of the images may find it (few, and then many; Mishkin et al.,
/// MODS, 2015). A homography counts only if matches confirm it in images that it brings together. Returns `plain` if it
/// is sure, if nothing better is confirmed, and for a detector without the option `views`. `progress` is told the
/// steps. Throws what `align` and make_extractor throw.
Alignment align_anew(Alignment plain, const ImageView& image_a, const ImageView& image_b, const AlignTools& tools,
                     const RobustOptions& robust = {}, const ProgressSink& progress = {});

/// How two images are joined.
enum class Blending {
  /// As a mosaic (octavo/multiview/mosaic.h): with B's exposure brought to A's and vignetting corrected, cut along a
  /// seam where
  /// the
  /// images agree, and blended there by bands of frequency. Each place shows one of the images.
  multiband,
  mean,  ///< half and half where they overlap, with the colours that they have: what does not fit is seen twice
};

/// How two aligned images become one.
struct BlendOptions {
  Blending blend = Blending::multiband;  ///< how they are joined
  bool exposure = true;                  ///< of multiband: correct exposure, white balance and vignetting
  /// Of multiband: bands of the blending, 0…8. 0: the images are cut at the seam. Small images have fewer.
  int bands = 5;

  bool operator==(const BlendOptions&) const = default;
};

/// Name, kind, range and meaning of every option.
template <>
const OptionTable<BlendOptions>& option_table<BlendOptions>();

/// Throws Error(invalid_option), which names the option.
void validate(const BlendOptions& options);

/// Warps image B onto the frame of A by the homography and joins the two. The result is a canvas (RGB and alpha) that
/// contains both images, with the pixels of A, and the deeper of their pixel types. Elsewhere it is transparent, and
/// white for programs that ignore alpha. What alpha of an image hides is not drawn.
/// The canvas is the bounding box of A and of the part of B that lies in front of the camera, at most max(A, B) pixels
/// beyond the edges of A, and where B is drawn at most 4 times as large (in length) as in the middle of the overlap.
/// Each side of the canvas is thus at most three times that of the larger image, and at most 32766 pixels. If no part
/// of B is visible, the result is A. An image that lies within the other keeps its middle.
/// Throws Error(invalid_option), and Error(invalid_argument) for an invalid image, an image with a side above 32766
/// pixels, and a homography with an infinity or NaN.
Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a,
            const BlendOptions& options = {}, const ProgressSink& progress = {});

/// The frame of A (RGB, the deeper of the pixel types) as a checkerboard of A and the warped B, with the colours that
/// they have. The edges between the squares show how well the images fit. A square's side is a twelfth of the longer
/// side of A. Where B has no pixels, the result shows A. Throws what `blend` throws.
Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a,
                   const ProgressSink& progress = {});

}  // namespace octavo
