#pragma once

// From key frames that a query hits to pairs of frames, from which find_copies begins. A key frame stands for some
// seconds, so a hit says little about time and speed. If both frames match, the frames around both are compared.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "octavo/video/clip_signature.h"
#include "octavo/video/copy_segment.h"

namespace octavo {

/// A key frame of a clip that a frame of the query hits in the lists.
struct KeyHit {
  std::int32_t query = 0;   ///< index into the frames of the query's signature
  std::uint32_t key = 0;    ///< index into key_frames of the other clip
  std::uint32_t score = 0;  ///< ImageVote::score
};

/// The pairs of frames that match around the hits: frames of the query that ask, within 2 s of the one that hit, and
/// frames of the other clip between the key frames beside the one that was hit. By ascending query, then other; the
/// score is FrameMatch::inliers.
std::vector<FrameHit> hits_near_keys(const ClipSignature& query, const ClipSignature& other,
                                     std::span<const KeyHit> hits, const std::string& isa = "auto");

}  // namespace octavo
