// Pairs of features of two frames, from which octavo/video/copy_segment.h's match_frames begins.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/frame_similarity.h"

namespace OCTAVO_INTERNAL_API octavo {
struct Isa;
}

namespace octavo {

/// A pair of features of two frames.
struct FeaturePair {
  std::uint16_t a = 0, b = 0;  ///< indices into FrameSignature::features
  std::uint8_t distance = 0;   ///< of their codes [bit]
};

/// Mutual nearest codes that are near enough, by ascending distance, then a, then b.
std::vector<FeaturePair> near_pairs(const FrameSignature& a, const FrameSignature& b, const Isa& isa);

/// What two frames say of a similarity that is known from elsewhere.
struct Agreement {
  std::vector<FramePoint> in_a, in_b;  ///< the places of the pairs that agree
  /// −log10 of the chance that so many pairs agree, at least 0. There is no search, so 3 pairs are much.
  double evidence = 0;
  /// The same if the similarity comes from these frames: FrameMatch::significance.
  double significance = 0;
  bool is_own = false;  ///< the similarity does come from these frames
};
Agreement agreement(const FrameSignature& a, const FrameSignature& b, const std::vector<FeaturePair>& pairs,
                    const Similarity& b_from_a);

/// match_frames for pairs that near_pairs has given.
FrameMatch match_of(const FrameSignature& a, const FrameSignature& b, const std::vector<FeaturePair>& pairs);

}  // namespace octavo
