// What shows why a segment was found: a frame of both clips at one moment, and the features that agree.

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/frame_matches.h"

namespace octavo {

/// Moments at which a segment is looked at, as shares of its length.
inline constexpr std::array<double, 3> view_moments{0.25, 0.5, 0.75};

/// The signer of the frames at these moments: that of a query, of mirrored frames too.
FrameSigner view_signer(const DeviceOptions& device = {}, Tones tones = Tones::positive);

/// How frames are read that are shown: in colour, and as large as those that are signed. `video` gives the decoder and
/// its limits.
VideoOptions view_options(VideoOptions video);

struct SegmentView {
  std::size_t moment = 0;  ///< index into the frames
  /// The places of features that agree. Those of the query are in its image as it is seen, not mirrored.
  std::vector<FramePoint> query{}, other{};
};

/// Of frames of both clips at the same moments, one or more, those with most features that agree with the similarity
/// of the segment. Those of the query are mirrored if the segment is.
SegmentView best_view(const CopySegment& segment, std::span<const FrameSignature> query,
                      std::span<const FrameSignature> other, const std::string& isa = "auto");

}  // namespace octavo
