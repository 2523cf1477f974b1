// The line of times of a segment, told together with the place of the image (place_offset.h): with a moving camera a
// place that is some pixels off looks like another time. One place holds for all frames of a segment, so it tells
// itself from a time wherever the camera does not move evenly.

#pragma once

#include <optional>
#include <span>

#include "video/signature/place_offset.h"
#include "video/signature/segment_end.h"

namespace octavo {

/// A line of times, and the place of the image that goes with it.
struct SettledLine {
  double speed = 1;
  PlaceOffset place{};
  double unexplained = 0;  ///< PlaceFit::unexplained
  /// Whether slopes reach the place, or the frames are the same there. Features that place the image farther off are of
  /// other moments, so that the best line may be that of such a moment.
  [[nodiscard]] bool is_place_told() const;
};

/// The speed and place at which both ends agree best: speed 1, or one near this speed. None without frames.
std::optional<SettledLine> settled_line(const SegmentEnd& in, const SegmentEnd& out, double speed);

/// An end, and by how much later than the coarse line the line passes it. [second]
struct EndOnLine {
  const SegmentEnd* end;
  double shift;
};

/// How far one line through all of these ends could lie beside, by all that their frames tell: up to which shift their
/// correlations are not clearly worse, each with its best place. Half a frame or more; most_shift if nothing changes.
/// [second]
double untold_time(std::span<const EndOnLine> ends, double speed);

}  // namespace octavo
