#pragma once

// Whether two frames show one place: the geometry of two views, with the doubts of this project counted as no.

#include <cstddef>
#include <vector>

#include "multiview/places/overlays.h"

namespace octavo::places {

/// What the matches of two frames say.
struct PlaceEvidence {
  bool is_same = false;        ///< both show one place
  bool is_sure = false;        ///< with twice as many inliers as that needs, over twice the area
  bool is_plane = false;       ///< by a homography; otherwise by a fundamental matrix
  std::vector<Match> inliers;  ///< the matches that agree; of those between the same two places one
  std::size_t matches = 0;     ///< of how many, without overlays
};

/// Verifies the matches (Matcher). A homography counts if `warnings_of` doubts it for nothing but parallax, and a
/// fundamental matrix if off-plane matches determine it; with n matches more than 8 + 0.3·n must agree (Brown and Lowe,
/// IJCV 2007). They must be spread over more than a sign or a line of text, and over a fifth of what both frames show:
/// a thing may stand in two places. Throws what the estimates throw.
PlaceEvidence same_place(const SeenFrame& a, const SeenFrame& b, const std::vector<Match>& matches);

}  // namespace octavo::places
