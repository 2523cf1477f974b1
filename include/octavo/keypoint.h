#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"

// Keypoints, features, and the descriptions of keypoints that the caller gives.

namespace OCTAVO_API octavo {

/// A point of an image that can be recognised in others.
struct Keypoint {
  float x = 0;            ///< [pixel] to the right; (0, 0) is the centre of the top-left pixel
  float y = 0;            ///< [pixel] downwards
  float scale = 0;        ///< [pixel] σ of the Gaussian at which the point was found; for corners: is described
  float orientation = 0;  ///< [radian] in [0, 2π), from +x towards +y (clockwise on the screen)
  /// SIFT: |D(x̂)|, the contrast of the difference-of-Gaussians extremum, for images of 0…1. FOAGDD: log10 of the
  /// corner's measure.
  float response = 0;
  std::int32_t octave = 0;  ///< −1 is the doubled image, 0 the image itself; for corners: 0
  std::int32_t layer = 0;   ///< 1…S within the octave; for corners: 0
  /// The ellipse of SIFT with `affine`: the matrix A = (a11 a12; a21 a22) maps the unit circle to it, and the axes (1,
  /// 0) and (0, 1) of the descriptor's frame to its axes in the image [pixel]. A point u of that frame, in units of σ,
  /// is at (x, y) + A·u. COLMAP's keypoints of six columns have the same A. det A is the square of `scale`, and
  /// `orientation` is the angle of the column (a11, a21). All four are 0 for a circle: A is then `scale` times the
  /// rotation by `orientation`, which affine_matrix computes.
  float a11 = 0;
  float a12 = 0;
  float a21 = 0;
  float a22 = 0;

  friend bool operator==(const Keypoint&, const Keypoint&) = default;
};

/// Whether the keypoint is an ellipse.
inline bool has_ellipse(const Keypoint& k) { return k.a11 != 0 || k.a12 != 0 || k.a21 != 0 || k.a22 != 0; }

/// The matrix A of a keypoint, row by row: that of its ellipse, or of its circle.
std::array<double, 4> affine_matrix(const Keypoint& keypoint);

/// The length of a descriptor: 4×4 cells × 8 directions.
inline constexpr std::size_t descriptor_length = 128;

/// The keypoints of an image and their descriptors, in canonical order: octave, layer, y, x, orientation. The keypoints
/// that a budget keeps are in the same order.
struct Features {
  std::vector<Keypoint> keypoints;  ///< N, in canonical order
  /// N×128, row by row. Empty if no descriptors were requested. In the frame of the keypoint, cell (row, column) and
  /// direction d are at index (row·4 + column)·8 + d.
  std::vector<std::uint8_t> descriptors;

  /// The number of keypoints, which is that of descriptors where there are some.
  [[nodiscard]] std::size_t size() const { return keypoints.size(); }
  /// That of keypoint i, where there are descriptors. It is valid while `descriptors` is not changed.
  [[nodiscard]] std::span<const std::uint8_t, descriptor_length> descriptor(std::size_t i) const {
    return std::span<const std::uint8_t, descriptor_length>(descriptors.data() + i * descriptor_length,
                                                            descriptor_length);
  }
  friend bool operator==(const Features&, const Features&) = default;
};

class DeviceFeatures;  // octavo/extractor.h

/// What decides the orientations of keypoints that the caller gives.
enum class OrientationFrom {
  keypoint,  ///< the keypoint's own: one description for each keypoint
  image,     ///< the gradients around it, as in an extraction: one description for each strong orientation
};

/// Why a keypoint that the caller gives has no description.
enum class NotDescribed {
  not_finite,       ///< a coordinate, the scale, or the orientation that would be used is infinite or not a number
  outside,          ///< it lies outside the image
  scale_too_small,  ///< its scale is below those of the finest level
  scale_too_large,  ///< its scale is above those of the coarsest level
  no_level,         ///< the image is too small for a single octave
  no_orientation,   ///< the orientation would come from the image, which has no gradient there
  shape_too_long,   ///< its ellipse is more than 4 times as long as it is wide, which no extraction finds
};

/// The reason as the end of a sentence that begins with the keypoint: "lies outside the image".
std::string sentence_of(NotDescribed reason);

/// A keypoint without a description.
struct LeftOut {
  std::size_t input = 0;  ///< its index among the keypoints that were given
  NotDescribed reason = NotDescribed::not_finite;

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// The descriptions of keypoints that the caller gives. Each of these is in `features` or in `left_out`.
struct Description {
  /// In the order of the keypoints that were given, not in canonical order. Several orientations of one keypoint follow
  /// each other and ascend. x, y, scale and response are those that were given. The orientation is the one that the
  /// descriptor has, in [0, 2π). Octave and layer are those of the level that was used; 0 for corners.
  Features features;
  /// For each of the features the index of its keypoint among those that were given; ascending.
  std::vector<std::size_t> inputs;
  /// The other keypoints; ascending by `input`.
  std::vector<LeftOut> left_out;

  friend bool operator==(const Description&, const Description&) = default;
};

}  // namespace octavo
