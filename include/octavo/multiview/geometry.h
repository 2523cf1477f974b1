#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

// What matches say of two views: models of their geometry, and the places of points, refined.

namespace OCTAVO_API octavo {

/// The options of the robust estimators of OpenCV's USAC framework. The same pairs and options give the same model.
struct RobustOptions {
  /// How samples are chosen and judged.
  enum class Method {
    magsac,  ///< MAGSAC++ (Barath et al., CVPR 2020)
    ransac,  ///< counts inliers (Fischler & Bolles 1981); locally optimised
    prosac,  ///< samples the first pairs first (Chum & Matas, CVPR 2005): order the pairs best first
  };
  Method method = Method::magsac;  ///< how samples are chosen and judged
  double threshold = 3;            ///< [pixel] the largest error of an inlier
  double confidence = 0.999;       ///< the probability of at least one sample without outliers
  int max_iterations = 10000;      ///< the largest number of samples
  int seed = 0;                    ///< of the samples
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<RobustOptions>& option_table<RobustOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const RobustOptions& options);

/// A reason to doubt a model, although more pairs agree with it than chance explains.
struct ModelWarning {
  /// What is doubtful.
  enum class Kind {
    /// distinct inliers ≤ 8 + 0.3·(distinct pairs) (Brown & Lowe, IJCV 2007), as images of different things may have.
    /// Of a homography pairs count whose point of a maps into the box of b's points. Also inliers at so few places that
    /// these, with the same share of the pairs, are no more than that; within the threshold of another, in both images,
    /// inliers are at one place.
    few_inliers,
    plane_alone,  ///< RobustModel::is_plane_alone
    one_place,    ///< EssentialModel::median_ray_angle ≤ 3·threshold / fx of b: the translation is arbitrary
  };
  Kind kind;             ///< for programs
  std::string sentence;  ///< for people, without a full stop
};

/// The word of a kind for programs: its name above.
std::string_view word(ModelWarning::Kind kind);

/// A model b_from_a (3×3, row by row, 9 numbers), or the reason why there is none.
struct RobustModel {
  bool found = false;  ///< there is a model
  std::string reason;  ///< why there is no model, one sentence; empty if found
  /// homography: b_from_a[8] = 1; fundamental and essential matrix: unit Frobenius norm
  std::array<double, 9> b_from_a{};
  std::vector<std::uint8_t> inliers;  ///< one per pair: 1 if its error is at most the threshold, else 0
  int inlier_count = 0;               ///< the number of ones
  /// [pixel] the mean over the inliers. homography: distance |b − H·a|; fundamental and essential: distance of b to the
  /// epipolar line of a
  double reprojection_error = 0;
  /// fundamental matrix: more than half of the inliers lie on one plane, and of the other pairs no more agree than
  /// chance gives. Many fundamental matrices fit a plane, so this one may be far from that of the cameras.
  bool is_plane_alone = false;
  std::vector<ModelWarning> warnings{};  ///< empty: there is no doubt, or no model
};

/// Estimates the homography that maps points of a onto points of b without mirroring them. `found` is false, and
/// `reason` says why, if
///  - there are fewer than 4 pairs, or a coordinate is not finite or is beyond 10^7 pixels;
///  - the points of an image, or its inliers, are all equal or all on a line: their root-mean-square width is at most
///    the threshold, and at most a hundredth of their length;
///  - the number of inliers is not above what chance gives (Moisan & Stival, IJCV 2004).
/// Throws Error(invalid_argument) if the spans' lengths differ, Error(invalid_option).
RobustModel estimate_homography(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// Estimates the fundamental matrix F with bᵀ·F·a = 0, from at least 8 pairs. Where most of them lie on one plane, the
/// pairs off the plane determine it (Chum, Werner and Matas, CVPR 2005). `found`, `reason` and the errors are as
/// for estimate_homography.
RobustModel estimate_fundamental(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options = {});

/// A pinhole camera without distortion: a point (x, y, z) in front of it, z > 0, is seen at
/// (fx·x/z + cx, fy·y/z + cy). x points to the right, y down.
struct Camera {
  double fx = 0, fy = 0;  ///< [pixel] focal lengths, 0.001 … 10^7
  double cx = 0, cy = 0;  ///< [pixel] principal point, (0, 0) is the centre of the first pixel
};

/// An essential matrix E with b̂ᵀ·E·â = 0, where â = K_a⁻¹·a and b̂ = K_b⁻¹·b, and the pose of camera B relative to
/// camera A: a point p in A's frame is R·p + t in B's frame, E ~ [t]×·R. Two images do not tell the length of t.
struct EssentialModel : RobustModel {
  std::array<double, 9> rotation_b_from_a{};     ///< R, row by row
  std::array<double, 3> translation_b_from_a{};  ///< t, of unit length
  int in_front_count = 0;                        ///< inliers that this pose puts in front of both cameras
  /// [radian] median over these inliers of the angle between the two rays to the point. Where it is small (one_place),
  /// the cameras stand at nearly one place, and t is arbitrary.
  double median_ray_angle = 0;
};

/// Estimates the essential matrix of two calibrated images from at least 6 pairs, by the five-point algorithm (Nistér,
/// PAMI 2004), and the pose for which most inliers lie in front of both cameras. `found`, `reason` and the errors are
/// as for estimate_homography. Throws what it throws, and Error(invalid_argument) for a camera out of range.
EssentialModel estimate_essential(std::span<const Point> a, std::span<const Point> b, const Camera& camera_a,
                                  const Camera& camera_b, const RobustOptions& options = {});

/// The estimates from matched keypoints: those of their positions. For PROSAC the pairs with the closest descriptors
/// come first. `inliers` are in the order of the matches. Throw what point_pairs and the estimates above throw.
RobustModel estimate_homography(const Features& a, const Features& b, std::span<const Match> matches,
                                const RobustOptions& options = {});
/// The same of the fundamental matrix.
RobustModel estimate_fundamental(const Features& a, const Features& b, std::span<const Match> matches,
                                 const RobustOptions& options = {});
/// The same of the essential matrix.
EssentialModel estimate_essential(const Features& a, const Features& b, std::span<const Match> matches,
                                  const Camera& camera_a, const Camera& camera_b, const RobustOptions& options = {});

/// Moves keypoints of B to where B shows what A shows at their partners. The patch around A's keypoint, 7 σ wide in
/// its own frame, is found again in B from B's keypoint on, by an affinity with gain and offset (Lucas and Kanade,
/// 1981; Baker and Matthews, IJCV 2004). Detectors place the same point of a scene a few tenths of a pixel apart in two
/// images; this leaves about a third of that. Scale, orientation and ellipse stay. A keypoint stays where it is if it
/// has several matches or no scale, if it would move by more than 1.5 σ, and if the patches do not become alike
/// (correlation 0.8). The result does not depend on threads. Returns the number of those that are moved. Throws
/// Error(invalid_argument) for an invalid image and a match whose index is out of range.
std::size_t refine_matches(const ImageView& image_a, const Features& a, const ImageView& image_b, Features& b,
                           std::span<const Match> matches);

}  // namespace octavo
