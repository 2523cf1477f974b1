#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/keypoint.h"

namespace OCTAVO_API octavo {

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
