#include "video/signature/still_camera.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "video/signature/segment_moments.h"

namespace octavo {
namespace {

// Developed on windows of ten and eight seconds of vtest.avi, each searched in the others (docs/video-search.md, Ends).
// What moves at both ends of false segments correlates by up to 0.76. Around five moments the blocks of 291 false ones
// correlate by 0.10 in the mean, with a deviation of 0.115, and by up to 0.49: the limit is four deviations above.
constexpr std::size_t few_blocks = CellGrid::block_count / 2;
constexpr double surely_alike = 0.85, least_alike = 0.55;               // correlations
constexpr std::array moments_of_motion{0.15, 0.325, 0.5, 0.675, 0.85};  // shares of the segment
constexpr std::size_t least_moving_blocks = moments_of_motion.size();   // blocks at all moments; fewer tell nothing

double likeness(const MovingBlocks& blocks) {
  return std::max(blocks.where_query_moves.together.correlation(), blocks.where_other_moves.together.correlation());
}

// What lies over the image, such as captions or the border of an inset, changes more than what moves behind it, but in
// some blocks alone. So each block counts alike.
Motion motion_of(const MovingBlocks& blocks) {
  Motion motion = Motion::none;
  for (const MovingBlocks::OfClip* one : {&blocks.where_query_moves, &blocks.where_other_moves}) {
    if (one->count < least_moving_blocks) continue;
    if (one->correlations >= least_alike * static_cast<double>(one->count)) return Motion::alike;
    motion = Motion::different;
  }
  return motion;
}

// What moves around all moments. The frames are moved to the place of the segment.
MovingBlocks moving_blocks(SegmentMoments& one, const PlaceOffset& place) {
  const double speed = one.segment->speed;
  MovingBlocks blocks;
  for (SegmentMoment& moment : one.moments) {
    for (FrameCells& frame : moment.other.frames) frame = moved(std::move(frame), place);
    const MomentFrames frames(moment, one.grid, speed);
    blocks.add(frames.moving_blocks(speed, frames.best(speed).seconds));
  }
  return blocks;
}

}  // namespace

bool stands(const MovingBlocks& in, const MovingBlocks& out) {
  const std::size_t most_of_query = std::max(in.where_query_moves.count, out.where_query_moves.count),
                    most_of_other = std::max(in.where_other_moves.count, out.where_other_moves.count);
  return std::max(most_of_query, most_of_other) > 0 && std::min(most_of_query, most_of_other) <= few_blocks;
}

bool is_time_told(const MovingBlocks& in, const MovingBlocks& out) {
  MovingBlocks both = in;
  both.add(out);
  return likeness(both) >= surely_alike;
}

std::vector<Motion> motions_of(std::span<const PlacedSegment> segments, const std::filesystem::path& query,
                               const std::filesystem::path& other, const VideoOptions& video,
                               const ProgressSink& progress) {
  std::vector<SegmentMoments> all;
  for (const PlacedSegment& one : segments) {
    all.push_back(moments_of(one.segment, moments_of_motion));
    all.back().is_backwards = one.is_backwards;
    for (SegmentMoment& moment : all.back().moments) moment.other.slopes = true;
  }
  read_moments(all, query, other, video, progress);
  std::vector<Motion> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    leave_out_frames_beyond(all[i]);
    result.push_back(motion_of(moving_blocks(all[i], segments[i].place)));
  }
  return result;
}

}  // namespace octavo
