// Segments of two clips along one line of times.

#pragma once

#include <optional>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/compared_frames.h"
#include "video/signature/line_frames.h"
#include "video/signature/time_lines.h"

namespace octavo {

/// A segment that another may still explain better.
struct CopyCandidate {
  TimeLine line;
  Similarity other_from_query;
  std::vector<LineFrame> frames;  ///< all from the first to the last one
  CopySegment segment;
};

/// [second] Lines that are no farther from each other are those of one segment: three frames of an archive's signature.
constexpr double near_in_time = 1.5;

/// The candidate that these frames make; none if it is too short or too improbable for the options.
std::optional<CopyCandidate> candidate_of(ComparedFrames& clips, const CopyOptions& options, const TimeLine& line,
                                          const Similarity& similarity, std::vector<LineFrame> frames);

/// The candidates on the line and near it, for which some of the pairs voted.
std::vector<CopyCandidate> candidates_on(ComparedFrames& clips, const CopyOptions& options, const TimeLine& line,
                                         const std::vector<TimePair>& pairs);

}  // namespace octavo
