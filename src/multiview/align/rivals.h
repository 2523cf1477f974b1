// A pattern that repeats fits at several places, one of which is right or none. A retry tries several homographies on
// the pixels, so it finds one of these where the matches of the whole images told none. Then another homography, which
// the search found or which lies a period away, is confirmed nearly as well.

#pragma once

#include <array>
#include <vector>

#include "multiview/align/meeting.h"

namespace octavo {

/// A homography that matches confirm.
struct Fit {
  std::array<double, 9> b_from_a;
  int inliers;
};

/// Whether `other` puts the middle of A's part of `meeting`, which is that of `own`, to another place, and has so many
/// inliers that they do not decide. `threshold` [pixel] is that of inliers.
bool is_rival(const Fit& own, const Fit& other, const Meeting& meeting, double threshold);

/// The homographies that lie a period of the overlap's pattern away; none if nothing repeats.
std::vector<std::array<double, 9>> periods_away(const TwoViews& views, const Meeting& meeting);

}  // namespace octavo
