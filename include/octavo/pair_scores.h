#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

// How good the features of a pair of images are, where it is known which point of one belongs to which of the other.
// docs/evaluation.md defines every number and names its source.

namespace OCTAVO_API octavo {

/// The curves' thresholds are 1, 2 … 10 pixels of image B; entry i belongs to i + 1.
inline constexpr std::size_t threshold_count = 10;
/// Numbers of keypoints or matches that are right at each threshold.
using Counts = std::array<int, threshold_count>;
/// Shares, 0…1, at each threshold.
using Curve = std::array<double, threshold_count>;

/// The threshold of the numbers that have one only (correct matches, precision, matching score): 3 pixels.
inline constexpr int correct_within = 3;

/// The entry of a Curve at `correct_within`.
inline constexpr int at_correct = correct_within - 1;

/// The thresholds of the overlap error of regions: 1 − intersection / union.
inline constexpr std::array<double, 6> overlap_errors{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
/// Numbers of regions at each overlap error.
using OverlapCounts = std::array<int, overlap_errors.size()>;
/// Shares, 0…1, at each overlap error.
using OverlapCurve = std::array<double, overlap_errors.size()>;

/// The index of the threshold of numbers that have one only, as in the literature: 0.4.
inline constexpr std::size_t usual_overlap = 3;

/// The images show one plane, or were taken from one place.
struct TrueHomography {
  std::array<double, 9> b_from_a{};  ///< 3×3, row by row
};

/// Some points of A whose places in B are known. A keypoint is judged if a known point lies within `radius` of it.
struct Correspondences {
  std::vector<Point> a, b;  ///< of one length
  double radius = 2;        ///< [pixel] at least 0.001, finite
};

/// Which point of A is which of B.
using Truth = std::variant<TrueHomography, Correspondences>;

/// Throws Error(invalid_argument), saying why, for a truth that cannot be that of images of these sizes: a matrix with
/// an entry that is not finite, or without an inverse; one that is the identity although the sizes differ; one that
/// maps no pixel of A into B; no correspondences, lists of different lengths, a radius out of range, or a point outside
/// its image.
void check(const Truth& truth, ImageSize a, ImageSize b);

/// What both images show, as masks for Extractor::extract: u8, one channel, 255 at the pixels whose centres the truth
/// sends into the other image, 0 elsewhere. An image that is shown as a whole has none, nor have images of which only
/// correspondences are known. Throws Error(invalid_argument) as `check`.
struct Covisible {
  std::shared_ptr<Image> a, b;  ///< null: none
};
Covisible covisible(const Truth& truth, ImageSize a, ImageSize b);

/// What was counted in a pair of images. "In common" are the keypoints that the truth sends into the other image.
/// Points are the distinct places of keypoints: several keypoints at one place, of several orientations, are one point.
struct PairScores {
  int keypoints_a = 0, keypoints_b = 0;  ///< all of each image
  int common_a = 0, common_b = 0;        ///< keypoints in common
  int points_a = 0, points_b = 0;        ///< points in common
  Counts repeated_a{}, repeated_b{};     ///< of these, those with a point of the other image within the threshold
  int corresponding = 0;                 ///< pairs of points, each the other's nearest, within 3 pixels: one to one

  int mutual_matches = 0, mutual_judged = 0;  ///< of the nearest neighbours without a ratio test
  Counts mutual_correct{};                    ///< of those that can be judged
  int matches = 0, judged = 0;                ///< of the matches by the options of the matcher
  Counts correct{};                           ///< of those that can be judged

  bool has_true_homography = false;  ///< only then is what follows known
  /// Regions in common: the ellipses or circles of keypoints. Keypoints of one place and scale have one region; a
  /// keypoint of scale 0 has none.
  int regions_a = 0, regions_b = 0;
  OverlapCounts corresponding_regions{};  ///< pairs of them, one to one, whose overlap error is at most the threshold
  std::optional<std::array<double, 9>> homography;  ///< b_from_a as estimated from the matches; none: none was found
  double corner_error = 0;                          ///< [pixel] infinite where none was found
};

/// Counts. `mutual` are mutual nearest neighbours without a ratio test, `matches` what is to be judged. No homography
/// is estimated: there is none, and corner_error is infinite where the truth is a homography. Throws
/// Error(invalid_argument) as `check` and for a match of a keypoint that is not there.
PairScores count_pair(const Features& a, const Features& b, std::span<const Match> mutual,
                      std::span<const Match> matches, const Truth& truth, ImageSize size_a, ImageSize size_b);

/// Shares of one pair, each 0 where there is nothing to share.
Curve repeatability(const PairScores& scores);
Curve matching_accuracy(const PairScores& scores);      ///< mean matching accuracy (MMA), of mutual neighbours
Curve precision(const PairScores& scores);              ///< of the matches that can be judged, those that are right
double correspondence_share(const PairScores& scores);  ///< one-to-one repeatability at 3 pixels
double matching_score(const PairScores& scores);        ///< at 3 pixels
OverlapCurve region_repeatability(const PairScores& scores);  ///< over the fewer regions in common

/// The mean distance in B between A's corners as two homographies map them [pixel]; infinite if one maps a corner to
/// infinity.
double corner_error(const std::array<double, 9>& estimated, const std::array<double, 9>& truth, ImageSize a);

/// The share of errors that are at most the threshold; 0 for no errors.
double accuracy(std::span<const double> errors, double threshold);

/// The area under the curve of `accuracy` from 0 to the threshold, over the threshold; linear between the errors.
double area_under_accuracy(std::span<const double> errors, double threshold);

/// Means over pairs.
struct Summary {
  int pairs = 0;                                                       ///< how many
  double keypoints = 0;                                                ///< of an image, over both images of every pair
  Curve repeatability{}, matching_accuracy{}, precision{}, correct{};  ///< as those of one pair; `correct` are matches
  double correspondence_share = 0, matching_score = 0;                 ///< at 3 pixels, 0…1
  double matches = 0;                                                  ///< of a pair, by the options of the matcher
  int homographies = 0;         ///< pairs whose truth is one; only these enter what follows
  Curve homography_accuracy{};  ///< share of pairs whose corner error is at most the threshold
  Curve homography_area{};      ///< area under that share's curve (AUC)
  double regions = 0;           ///< in common, of an image, over both images of these pairs
  OverlapCurve region_repeatability{}, corresponding_regions{};  ///< shares, and numbers of a pair
};

/// The means; 0 where there is no pair to take them of.
Summary summarise(std::span<const PairScores> pairs);

}  // namespace octavo
