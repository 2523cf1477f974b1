// Homographies that few matches among many wrong ones propose. An ellipse shows how the plane is turned, scaled and
// compressed around its keypoint, so a single match of two ellipses tells an affinity b_from_a, which is near the
// homography around the point (Mikolajczyk and Schmid, IJCV 60(1), 2004; Mishkin, Matas and Perdoch, MODS, 2015).
// Each match votes with those that lie where its affinity puts them, and a homography is fitted to these. Nothing is
// drawn at random: a sample of one match is right as often as a match is.

#pragma once

#include <array>
#include <span>
#include <vector>

#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo {

struct Proposal {
  std::array<double, 9> b_from_a{};
  /// Places that agree within the threshold: cells of 6 pixels, in the image that has fewer of them.
  int places = 0;
};

/// At most `most` homographies that share less than half of their matches with a better one, best first. `threshold`
/// [pixel] is the largest error in B of a match that agrees. Of many matches the 1500 nearest are used.
std::vector<Proposal> propose_homographies(const Features& a, const Features& b, std::span<const Match> matches,
                                           double threshold, std::size_t most);

}  // namespace octavo
