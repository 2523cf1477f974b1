// How many of the keypoints of an image stay, and which.

#pragma once

#include "octavo/choices.h"

namespace octavo {

struct Budget {
  int max_features = 0;  ///< keep the best N keypoints; 0: all
  Rank rank = Rank::response;
  int grid = 1;  ///< G: a G×G grid shares the budget, ⌈N/G²⌉ per cell; the rest goes by rank
  /// N counts points before they have orientations, and all keypoints of a point stay or none.
  bool of_points = false;

  /// Whether there is one of keypoints for the whole image, so that points can be ranked before they are keypoints.
  [[nodiscard]] bool is_for_whole_image() const { return max_features > 0 && grid == 1 && !of_points; }
};

}  // namespace octavo
