// Pairs of frames that match, and the segments that explain them.

#pragma once

#include <vector>

#include "video/signature/compared_frames.h"
#include "video/signature/copy_candidates.h"
#include "video/signature/time_lines.h"

namespace octavo {

/// Takes out the pairs on the line and in the segments that were found on it.
void remove_explained(const ComparedFrames& clips, std::vector<TimePair>& pairs, const TimeLine& line,
                      const std::vector<CopyCandidate>& found);

/// The candidate, or the parts of it at speed 1 if they explain the pairs as well: a line of another speed may join
/// parts between which something was cut out or put in, or pass through what hardly moves.
std::vector<CopyCandidate> parts_at_speed_one(ComparedFrames& clips, const CopyOptions& options,
                                              CopyCandidate candidate, const std::vector<TimePair>& pairs);

}  // namespace octavo
