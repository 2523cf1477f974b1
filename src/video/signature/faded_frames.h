// Frames without the fades of their clips.

#pragma once

#include <vector>

#include "video/signature/cell_products.h"

namespace octavo {

/// Pairs of frames. Where a clip fades, their values are brought to one mean and contrast at the places (indices of
/// cells) that count, and frames that show too little are left out; otherwise they are the given ones, which must
/// outlive this.
class FadedFrames {
 public:
  FadedFrames(FramePairs given, const std::vector<std::size_t>& places);

  [[nodiscard]] const FramePairs& pairs() const { return pairs_; }

 private:
  std::vector<std::pair<FrameCells, FrameCells>> even_;
  FramePairs pairs_;
};

}  // namespace octavo
