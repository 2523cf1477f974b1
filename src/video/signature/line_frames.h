// Frames of the query along a line of times, and where they match the other clip: a local alignment, as Smith and
// Waterman's (1981). Frames that match add, others subtract, and a part ends where the sum has dropped too far.

#pragma once

#include <cstdint>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/compared_frames.h"
#include "video/signature/time_lines.h"

namespace octavo {

/// A frame of the query on a line. One that stands for long is several, one for each frame of the other clip.
struct LineFrame {
  std::int32_t query = 0, other = 0;    ///< indices of the frames; `other` is the one that matches best
  double query_from = 0, query_to = 0;  ///< [second]
  double other_time = 0;                ///< [second] where the line meets it
  int inliers = 0;
  double evidence = 0;  ///< Agreement::evidence
  bool counts = true;   ///< false: too few features to say anything
};

/// Whether the frame shows the same as the other clip.
bool is_same(const LineFrame& frame);

/// The query's frames while the line lies in the other clip, not examined yet.
std::vector<LineFrame> frames_on(const ComparedFrames& clips, const TimeLine& line);

/// The frames of the other clip that may show what the query shows when the line meets it.
std::vector<std::int32_t> frames_near(const ComparedFrames& clips, const LineFrame& at);

/// Sets what follows from the features: `other`, `inliers`, `evidence` and `counts`. Of the frames during which one
/// clip stands still and the other one moves, one at most is the same.
void examine(ComparedFrames& clips, std::vector<LineFrame>& frames, const Similarity& similarity);

/// The local alignments of frames that are examined, each from its first to its last frame that is the same.
std::vector<std::vector<LineFrame>> aligned(const std::vector<LineFrame>& frames);

}  // namespace octavo
