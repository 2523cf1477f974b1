// Segments of a camera that stands still. Its features match at all times, so what moves alone tells whether both clips
// show one time of the place or two. By chance things move alike for a second; over the whole segment they do not.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_file.h"
#include "video/signature/place_offset.h"
#include "video/signature/segment_end.h"

namespace octavo {

/// Whether something moves at the ends of a segment, but in less than half of the blocks of one of the clips.
bool stands(const MovingBlocks& in, const MovingBlocks& out);

/// Whether what moves at both ends is so much alike that it tells the time alone.
bool is_time_told(const MovingBlocks& in, const MovingBlocks& out);

/// A segment, and by how much its place is corrected. Backwards: its times of the query are counted down, and its speed
/// is above 0.
struct PlacedSegment {
  CopySegment segment;
  PlaceOffset place{};
  bool is_backwards = false;
};

/// For each segment, whether what moves around moments within it is alike or different; none where nothing moves.
/// Throws what Video throws.
std::vector<Motion> motions_of(std::span<const PlacedSegment> segments, const std::filesystem::path& query,
                               const std::filesystem::path& other, const VideoOptions& video,
                               const ProgressSink& progress = {});

}  // namespace octavo
