// The scores of a pair with the homography that is estimated from its matches.

#include "study/evaluate/evaluate.h"

namespace octavo {

PairScores score_pair(const Features& a, const Features& b, std::span<const Match> mutual,
                      std::span<const Match> matches, const Truth& truth, ImageSize size_a, ImageSize size_b,
                      const RobustOptions& robust) {
  PairScores scores = count_pair(a, b, mutual, matches, truth, size_a, size_b);
  if (const auto* known = std::get_if<TrueHomography>(&truth)) {
    const RobustModel model = estimate_homography(a, b, matches, robust);
    if (model.found) {
      scores.homography = model.b_from_a;
      scores.corner_error = corner_error(model.b_from_a, known->b_from_a, size_a);
    }
  }
  return scores;
}

}  // namespace octavo
