// The place in the scale space of keypoints that a caller gives: the inverse of keypoint_of (keypoint.h). The host
// places them, so that all devices agree.
//
// Level. The levels that descriptors read are the layers 1…S of all octaves, with blurs that grow by 2^(1/S) (Lowe
// 2004, §3). A keypoint belongs to the level whose blur is nearest to its scale in ratio (§5: "the Gaussian smoothed
// image with the closest scale"). The boundaries between levels are therefore σ0·2^(o + (l + 0.5)/S). They are computed
// in double precision without the C library, so that every machine agrees on them.
//
// Pixel and angle. An extraction knows the pixel of a keypoint and its orientation in turns, and reports coordinates
// and radians, which are rounded. Rounding makes two cases ambiguous: a coordinate exactly between two pixels, and
// radians that two neighbouring numbers of turns give. The image decides these cases: where the gradients around one of
// the possible pixels give exactly the reported angle, this is the extraction's place. Otherwise the even pixel and the
// nearest number of turns count.

#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "engine/extract/oriented.h"
#include "engine/scale_space/plan.h"
#include "engine/sift/orientation.h"
#include "engine/sift/sift_parts.h"
#include "octavo/keypoint.h"

namespace octavo {

/// A keypoint's place in the scale space.
struct Placed {
  Oriented at;                ///< if the place is ambiguous, the one that counts unless the image decides
  bool is_ambiguous = false;  ///< the image can decide between several pixels or numbers of turns
  /// The other pixel in its row or column, for coordinates exactly between two pixels. Otherwise that of `at`.
  int other_row = 0, other_column = 0;
};

class Placement {
 public:
  /// For images of this size. The parts are of options that are valid and find keypoints.
  Placement(const SiftParts& parts, int width, int height);

  /// The place of a keypoint, or the reason why it has none. The orientation counts only if it is taken from the
  /// keypoint; otherwise it is 0, and nothing is ambiguous except the pixel, of which the even one counts.
  [[nodiscard]] std::variant<Placed, NotDescribed> place(const Keypoint& keypoint, OrientationFrom from) const;

  /// The keypoint as a description reports it, for a place of `place`.
  [[nodiscard]] Keypoint reported(Keypoint keypoint, const Oriented& at, OrientationFrom from) const;

 private:
  [[nodiscard]] std::optional<int> level_named_by(const Keypoint& keypoint) const;
  [[nodiscard]] std::variant<int, NotDescribed> level_of(const Keypoint& keypoint) const;

  ScaleSpaceOptions scale_space_;
  DescriptionOptions description_;
  ScaleSpacePlan plan_;
  int width_, height_;
  /// [pixel of the image] Level m = 0, 1… (octave m / S, layer m mod S + 1) has the scales from [m] to [m + 1].
  std::vector<double> boundaries_;
};

/// All pixels that an ambiguous keypoint may belong to; `at` is the first.
std::vector<Oriented> possible_pixels(const Placed& placed);

/// The orientation among these that gives exactly this angle [radian], if there is one.
std::optional<float> turns_that_give(float angle, const Orientations& orientations);

}  // namespace octavo
