#include "video/signature/segment_images.h"

#include <utility>

#include "video/signature/frame_matches.h"
#include "video/signature/segment_view.h"

namespace octavo {

SegmentSigners::SegmentSigners() : plain_(view_signer()) {}

FrameSignature SegmentSigners::sign(const Image& grey, const CopySegment& segment, bool of_query) {
  if (!of_query) return plain_.sign(grey.view());
  if (segment.negative && !inverse_) inverse_ = view_signer({}, Tones::negative);
  FrameSignature signature = (segment.negative ? *inverse_ : plain_).sign(grey.view());
  return segment.mirrored ? mirrored(std::move(signature)) : signature;
}

SharedCells shared_cells(const CopySegment& segment, const Image& query, const Image& other) {
  const auto size_of = [](const Image& image) { return FrameSize{1.0 * image.width(), 1.0 * image.height()}; };
  CellGrid grid = cell_grid(segment, size_of(query), size_of(other));
  SharedCells cells;
  cells.query.values = means_of(query.view(), grid.query, segment.negative);
  cells.other.values = means_of(other.view(), grid.other, false);
  cells.blocks = std::move(grid.blocks);
  return cells;
}

}  // namespace octavo
