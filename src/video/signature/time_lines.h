// Lines in the plane of the times of two clips, on which matching frames lie: other = speed · query + offset. A vote
// over offsets and speeds (Jégou, Douze and Schmid 2010 vote over offsets; Douze et al. 2010 over both) proposes them.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "octavo/video/copy_segment.h"

namespace octavo {

struct TimeLine {
  double speed = 1;   ///< seconds of the other clip for a second of the query
  double offset = 0;  ///< [second] of the other clip, at the query's first frame
  [[nodiscard]] double other_at(double query) const { return speed * query + offset; }
};

/// Times of two frames that match: each is a range, for a frame may stand for many. [second]
struct TimePair {
  std::int32_t query = 0;  ///< the index of the query's frame
  std::int32_t other = 0;  ///< the index of the other clip's frame
  double query_from = 0, query_to = 0;
  double other_from = 0, other_to = 0;
  double weight = 0;
};

/// The times of the query, within those of the pair, when the line passes no farther from the other clip's than `reach`
/// seconds; none if it does not.
struct TimeSpan {
  double from = 0, to = 0;  ///< [second]
};
std::optional<TimeSpan> met(const TimeLine& line, const TimePair& pair, double reach);

/// The line with the largest sum of weights over a row of frames of the query, where each frame counts once, and a
/// part of its largest weight is taken off, so that frames that match elsewhere end the row. Speeds go from min_speed
/// to max_speed in steps of 2 %. A speed of 1 is preferred if its sum is nearly the same. `pairs` are by ascending
/// query, and not empty.
struct VotedLine {
  TimeLine line;
  double votes = 0;
};
VotedLine best_line(const std::vector<TimePair>& pairs, double min_speed, double max_speed);

/// The line near `line` whose sum of weights is largest, where a pair counts less the farther the line passes, and not
/// from `reach` seconds on. It lies within 5 % of the speed, or has speed 1 if that is nearly as good, and passes
/// within `reach` seconds in the middle of the pairs.
TimeLine nearest_line(const std::vector<TimePair>& pairs, const TimeLine& line, double reach);

}  // namespace octavo
