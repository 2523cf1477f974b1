// Frames of two clips, compared with each other.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "octavo/progress.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/frame_matches.h"

namespace octavo {

/// Two clips and the matches of their frames, which are kept: lines that lie near each other ask for the same pairs.
/// Both signatures must outlive it.
class ComparedFrames {
 public:
  /// `shake`: CopyOptions::shake. `progress` is told now and then that frames are compared.
  ComparedFrames(const ClipSignature& query_clip, const ClipSignature& other_clip, const Isa& isa, double shake,
                 ProgressSink progress = {});

  /// Frame i of the query and frame j of the other clip.
  FrameMatch match(std::int32_t i, std::int32_t j) { return compared(i, j).match; }
  /// What both say of a similarity, or, within the shake, of their own one if it explains far more.
  Agreement agreement_of(std::int32_t i, std::int32_t j, const Similarity& similarity);

  const ClipSignature& query;
  const ClipSignature& other;
  const double query_step, other_step;  ///< [second] usual_step of each

 private:
  struct Compared {
    std::vector<FeaturePair> pairs;
    FrameMatch match;
  };

  // Valid until the next call.
  const Compared& compared(std::int32_t i, std::int32_t j);

  Isa isa_;
  double shake_;
  ProgressSink progress_;
  std::size_t done_ = 0;  // pairs that were matched
  std::map<std::pair<std::int32_t, std::int32_t>, Compared> compared_;
};

}  // namespace octavo
