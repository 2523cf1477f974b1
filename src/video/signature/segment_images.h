// Images of both clips of a segment: their features, and their cells.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "octavo/image.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/frame_cells.h"

namespace octavo {

/// Signs images of both clips of segments.
class SegmentSigners {
 public:
  SegmentSigners();
  /// The query's in the form in which it was found: mirrored, or the negative.
  FrameSignature sign(const Image& grey, const CopySegment& segment, bool of_query);

 private:
  FrameSigner plain_;
  std::optional<FrameSigner> inverse_;
};

/// The cells that two images share, without times.
struct SharedCells {
  FrameCells query, other;
  std::vector<std::size_t> blocks;  ///< CellGrid::blocks
};

/// By the similarity of the segment.
SharedCells shared_cells(const CopySegment& segment, const Image& query, const Image& other);

}  // namespace octavo
