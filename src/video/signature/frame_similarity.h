// The similarities of octavo/video/copy_segment.h: where they carry points, and those of least squares.

#pragma once

#include <optional>
#include <vector>

#include "octavo/video/copy_segment.h"

namespace octavo {

/// A point of a frame [pixel].
struct FramePoint {
  double x = 0, y = 0;
};

FramePoint mapped(const Similarity& similarity, FramePoint point);

/// The point that `mapped` carries to `point`.
FramePoint unmapped(const Similarity& similarity, FramePoint point);

/// By how much areas grow.
double growth_of_area(const Similarity& similarity);

/// The similarity of least squares with this stretch. `from` and `to` are as long, and not empty; none if all points of
/// `from` coincide.
std::optional<Similarity> fitted(const std::vector<FramePoint>& from, const std::vector<FramePoint>& to,
                                 double stretch = 1);

/// The similarity of least squares, without a stretch or, if it `may_stretch`, with a stretch of its own, for which
/// `rough` is a beginning. None if the points do not give one.
std::optional<Similarity> refitted(const Similarity& rough, const std::vector<FramePoint>& from,
                                   const std::vector<FramePoint>& to, bool may_stretch);

/// FrameMatch::spread of points of b.
double spread_of(const std::vector<FramePoint>& points_of_b, const Similarity& b_from_a, const FrameSignature& a,
                 const FrameSignature& b);

/// How far two similarities of frames a and b lie apart: the greatest distance of the corners of the smaller frame, as
/// a share of its side.
double disagreement(const Similarity& s, const Similarity& t, const FrameSignature& a, const FrameSignature& b);

}  // namespace octavo
