#include "video/signature/segment_view.h"

#include <algorithm>
#include <utility>

#include "engine/device/cpu_isa.h"

namespace octavo {

FrameSigner view_signer(const DeviceOptions& device, Tones tones) {
  return FrameSigner(query_signature_options(), device, tones);
}

VideoOptions view_options(VideoOptions video) {
  video.size = VideoOptions().size;
  video.stored_luma = false;
  video.colour = true;
  return video;
}

SegmentView best_view(const CopySegment& segment, std::span<const FrameSignature> query,
                      std::span<const FrameSignature> other, const std::string& isa) {
  const Isa chosen = find_isa(isa);
  SegmentView best;
  for (std::size_t i = 0; i < std::min(query.size(), other.size()); ++i) {
    const std::vector<FeaturePair> pairs = near_pairs(query[i], other[i], chosen);
    Agreement found = agreement(query[i], other[i], pairs, segment.other_from_query);
    if (found.in_a.size() <= best.query.size()) continue;
    best = {.moment = i, .query = std::move(found.in_a), .other = std::move(found.in_b)};
  }
  if (segment.mirrored) {
    for (FramePoint& point : best.query) point.x = query[best.moment].width - 1 - point.x;
  }
  return best;
}

}  // namespace octavo
