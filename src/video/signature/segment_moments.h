// The frames of both clips around moments of a segment.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_file.h"
#include "video/signature/best_shift.h"
#include "video/signature/frame_cells.h"
#include "video/signature/segment_end.h"

namespace octavo {

/// A moment of a segment, where its line passes it, and the frames around it.
struct SegmentMoment {
  SegmentEnd::Times at;
  CellWindow query, other;
};

/// Moments of a segment, which must outlive them. Backwards: the times of the query are counted down.
struct SegmentMoments {
  const CopySegment* segment;
  bool is_backwards = false;
  CellGrid grid{};
  std::vector<SegmentMoment> moments{};
};

/// The moments at these shares of its length, without frames. Its speed is above 0.
SegmentMoments moments_of(const CopySegment& segment, std::span<const double> shares);

/// Reads the frames around all moments. Throws what Video throws.
void read_moments(std::span<SegmentMoments> all, const std::filesystem::path& query, const std::filesystem::path& other,
                  const VideoOptions& video, const ProgressSink& progress);

/// Takes away the query's frames beyond the segment, which say nothing of it.
void leave_out_frames_beyond(SegmentMoments& one);

/// The frames of a moment before it and after it. Moment and grid must outlive them.
class MomentFrames {
 public:
  MomentFrames(const SegmentMoment& moment, const CellGrid& grid, double speed);

  /// The shift up to most_shift at which lines of this speed agree best.
  [[nodiscard]] Shift best(double speed) const;

  /// What moves on the line of this speed that passes so much later.
  [[nodiscard]] MovingBlocks moving_blocks(double speed, double shift) const;

 private:
  SegmentEnd before_, after_;
};

}  // namespace octavo
