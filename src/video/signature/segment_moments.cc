#include "video/signature/segment_moments.h"

#include <algorithm>

#include "video/signature/cell_reader.h"

namespace octavo {
namespace {

constexpr double moment_reach = 1.1;  // [second] around a moment

}  // namespace

SegmentMoments moments_of(const CopySegment& segment, std::span<const double> shares) {
  SegmentMoments result{.segment = &segment};
  for (const double share : shares) {
    const SegmentEnd::Times at{segment.query_in + share * (segment.query_out - segment.query_in),
                               segment.other_in + share * (segment.other_out - segment.other_in)};
    const double reach_of_other = moment_reach * std::max(1.0, segment.speed) + most_shift;
    result.moments.push_back({at, {at.query, moment_reach, {}, segment.negative}, {at.other, reach_of_other, {}}});
  }
  return result;
}

void read_moments(std::span<SegmentMoments> all, const std::filesystem::path& query, const std::filesystem::path& other,
                  const VideoOptions& video, const ProgressSink& progress) {
  if (all.empty()) return;
  std::vector<double> query_times, other_times;
  double reach_of_other = 0;
  for (SegmentMoments& one : all) {
    for (SegmentMoment& moment : one.moments) {
      if (one.is_backwards) turn_back(moment.query);
      query_times.push_back(moment.query.centre);
      other_times.push_back(moment.other.centre);
      reach_of_other = std::max(reach_of_other, moment.other.reach);
    }
  }
  CellReader query_reader(query, video, query_times, moment_reach);
  CellReader other_reader(other, video, other_times, reach_of_other);
  std::vector<CellWindow*> of_query, of_other;
  for (SegmentMoments& one : all) {
    one.grid = cell_grid(*one.segment, query_reader.size(), other_reader.size());
    for (SegmentMoment& moment : one.moments) {
      moment.query.cells = one.grid.query;
      moment.other.cells = one.grid.other;
      of_query.push_back(&moment.query);
      of_other.push_back(&moment.other);
    }
  }
  query_reader.fill(of_query, progress);
  for (SegmentMoments& one : all) {
    for (SegmentMoment& moment : one.moments) {
      if (one.is_backwards) turn_back(moment.query);
    }
  }
  other_reader.fill(of_other, progress);
}

void leave_out_frames_beyond(SegmentMoments& one) {
  for (SegmentMoment& moment : one.moments) {
    std::erase_if(moment.query.frames, [&](const FrameCells& frame) {
      return frame.end <= one.segment->query_in || frame.begin >= one.segment->query_out;
    });
  }
}

MomentFrames::MomentFrames(const SegmentMoment& moment, const CellGrid& grid, double speed)
    : before_(moment.query.frames, moment.other.frames, grid.blocks, moment.at, speed, false),
      after_(moment.query.frames, moment.other.frames, grid.blocks, moment.at, speed, true) {}

Shift MomentFrames::best(double speed) const {
  return best_shift(-most_shift, most_shift, [&](double shift) {
    return (before_.agreement(speed, shift) + after_.agreement(speed, shift)) / 2;
  });
}

MovingBlocks MomentFrames::moving_blocks(double speed, double shift) const {
  MovingBlocks both = before_.moving_blocks(speed, shift);
  both.add(after_.moving_blocks(speed, shift));
  return both;
}

}  // namespace octavo
