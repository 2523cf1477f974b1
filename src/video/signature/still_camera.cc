#include "video/signature/still_camera.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "video/signature/segment_moments.h"

namespace octavo {
namespace {

// Developed on ten-second windows of vtest.avi, each searched in the others (docs/video-search.md, Ends): what moves at
// both ends of false segments correlates by up to 0.76, and around five moments by 0.2 to 0.5, once each by 0.65 and
// 0.73. Of the grid's copies of still cameras 94 of 100 correlate by more than 0.85 at their ends.
constexpr std::size_t few_blocks = CellGrid::block_count / 2;
constexpr double surely_alike = 0.85, least_alike = 0.7;                // correlations
constexpr std::array moments_of_motion{0.15, 0.325, 0.5, 0.675, 0.85};  // shares of the segment
constexpr std::size_t least_moving_blocks = moments_of_motion.size();   // blocks at all moments; fewer tell nothing

double likeness(const MovingBlocks& blocks) {
  return std::max(blocks.where_query_moves.correlation(), blocks.where_other_moves.correlation());
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
  const std::size_t most_of_query = std::max(in.of_query, out.of_query),
                    most_of_other = std::max(in.of_other, out.of_other);
  return std::max(most_of_query, most_of_other) > 0 && std::min(most_of_query, most_of_other) <= few_blocks;
}

bool is_time_told(const MovingBlocks& in, const MovingBlocks& out) {
  MovingBlocks both = in;
  both.add(out);
  return likeness(both) >= surely_alike;
}

std::vector<bool> show_one_time(std::span<const PlacedSegment> segments, const std::filesystem::path& query,
                                const std::filesystem::path& other, const VideoOptions& video,
                                const ProgressSink& progress) {
  std::vector<SegmentMoments> all;
  for (const PlacedSegment& one : segments) {
    all.push_back(moments_of(one.segment, moments_of_motion));
    all.back().is_backwards = one.is_backwards;
    for (SegmentMoment& moment : all.back().moments) moment.other.slopes = true;
  }
  read_moments(all, query, other, video, progress);
  std::vector<bool> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    leave_out_frames_beyond(all[i]);
    const MovingBlocks blocks = moving_blocks(all[i], segments[i].place);
    result.push_back(std::max(blocks.of_query, blocks.of_other) < least_moving_blocks ||
                     likeness(blocks) >= least_alike);
  }
  return result;
}

}  // namespace octavo
