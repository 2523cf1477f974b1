// Turns the figures about a homography (evidence.h) into warnings. The limits separate the pairs of the table in
// docs/alignment.md.

#include <fmt/format.h>

#include <algorithm>

#include "multiview/align/evidence.h"
#include "octavo/multiview/align.h"

namespace octavo {

namespace {

constexpr double greatest_perspective = 8;  // the ratio of the scales at two corners of the overlap

using Kind = AlignmentWarning::Kind;

std::vector<AlignmentWarning> warnings_from(const Evidence& e, double threshold) {
  std::vector<AlignmentWarning> warnings;
  const auto warning = [&](bool applies, Kind kind, const std::string& sentence) {
    if (applies) warnings.push_back({kind, sentence});
  };
  warning(e.count.are_few(), Kind::few_inliers, e.count.sentence(" in the overlap", "homography"));
  warning(e.behind > 0, Kind::folded,
          fmt::format("{} of {} inliers lie behind the camera or are mirrored", e.behind, e.count.inliers));
  warning(
      e.parallax.shows_depth(), Kind::parallax,
      fmt::format("the scene is no plane: of {} matches that a moving camera explains, {} lie more than {:g} pixels "
                  "from where the homography puts them",
                  e.parallax.epipolar, e.parallax.off, 2 * threshold));
  warning(
      e.uncertainty > threshold, Kind::uncertain,
      fmt::format("the inliers leave the homography uncertain by up to {:.3g} pixels in the overlap", e.uncertainty));
  warning(e.greatest_scale > greatest_perspective * e.least_scale, Kind::extreme_perspective,
          fmt::format("within the overlap a pixel of A is {:.2g} to {:.2g} pixels of B wide", e.least_scale,
                      e.greatest_scale));
  return warnings;
}

}  // namespace

std::string_view word(AlignmentWarning::Kind kind) {
  switch (kind) {
    case Kind::few_inliers:
      return word(ModelWarning::Kind::few_inliers);
    case Kind::folded:
      return "folded";
    case Kind::parallax:
      return "parallax";
    case Kind::uncertain:
      return "uncertain";
    case Kind::extreme_perspective:
      return "extreme_perspective";
    case Kind::local:
      return "local";
    case Kind::watermark:
      return "watermark";
    case Kind::second_motion:
      return "second_motion";
    case Kind::undecidable:
      return "undecidable";
    case Kind::mirrored:
      return "mirrored";
  }
  return "";
}

std::vector<AlignmentWarning> warnings_of(const RobustModel& homography, const PointPairs& pairs, ImageSize a,
                                          ImageSize b, const RobustOptions& robust, double radius) {
  if (!homography.found) return {};
  return warnings_from(evidence(homography, pairs, {a.width, a.height}, {b.width, b.height}, robust, radius),
                       robust.threshold);
}

}  // namespace octavo
