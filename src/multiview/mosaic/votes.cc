// One match of keypoints is a similarity: their places, scales and orientations give shift, size and turn (Lowe 2004,
// §7.3). Each match is a hypothesis for which the others vote. Samples of four matches, for a homography, hardly ever
// hold right ones alone where one match of ten is right; here one is enough. What is found is rough: with errors of the
// orientation the tolerance grows by a tenth of the distance, until a similarity is fitted to the voters.

#include "multiview/mosaic/votes.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace octavo::mosaic {
namespace {

using Complex = std::complex<double>;
// Guesses: what is found here must be confirmed by intensities.
constexpr std::size_t least_votes = 10;
constexpr double largest_turn = 30 * std::numbers::pi / 180;  // [radian] of orientations, against the similarity's
constexpr double largest_ratio = 1.6;                         // of scales, against the similarity's
constexpr double lead = 1.5;   // of the votes over those of any other place: a pattern that repeats has several
constexpr double slack = 0.1;  // the error of a distance, in distances between two matches

struct Pair {
  Complex p, q;
  Complex turn;  // size and turn: z_b = turn·z_a + shift
};

struct Similarity {
  Complex turn, shift;
};

bool agrees(const Pair& pair, const Similarity& similarity, double tolerance) {
  if (std::abs(similarity.turn * pair.p + similarity.shift - pair.q) > tolerance) return false;
  const Complex quotient = pair.turn / similarity.turn;
  return std::abs(std::arg(quotient)) < largest_turn && std::abs(quotient) < largest_ratio &&
         std::abs(quotient) > 1 / largest_ratio;
}

// The matches for which the most of the allowed ones vote.
std::vector<std::size_t> most_votes(const std::vector<Pair>& pairs, double tolerance,
                                    const std::vector<bool>& allowed) {
  std::vector<std::size_t> best;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (!allowed[k]) continue;
    const Pair& hypothesis = pairs[k];
    const Similarity similarity{hypothesis.turn, hypothesis.q - hypothesis.turn * hypothesis.p};
    std::vector<std::size_t> voters;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!allowed[i]) continue;
      if (agrees(pairs[i], similarity, tolerance / 2 + slack * std::abs(pairs[i].q - hypothesis.q)))
        voters.push_back(i);
    }
    if (voters.size() > best.size()) best = std::move(voters);
  }
  return best;
}

// Least squares.
Similarity fitted(const std::vector<Pair>& pairs, const std::vector<std::size_t>& voters) {
  Complex mean_p = 0, mean_q = 0, product = 0;
  double squares = 0;
  const auto n = static_cast<double>(voters.size());
  for (const std::size_t i : voters) mean_p += pairs[i].p / n, mean_q += pairs[i].q / n;
  for (const std::size_t i : voters) {
    product += std::conj(pairs[i].p - mean_p) * (pairs[i].q - mean_q);
    squares += std::norm(pairs[i].p - mean_p);
  }
  if (!(squares > 0) || product == 0.0) return {1, mean_q - mean_p};
  const Complex turn = product / squares;
  return {turn, mean_q - turn * mean_p};
}

}  // namespace

namespace {

std::vector<Pair> pairs_of(const Features& a, const Features& b, const std::vector<Match>& matches) {
  std::vector<Pair> pairs;
  for (const Match& match : matches) {
    const Keypoint &k = a.keypoints[static_cast<std::size_t>(match.a)],
                   &l = b.keypoints[static_cast<std::size_t>(match.b)];
    pairs.push_back({{k.x, k.y}, {l.x, l.y}, std::polar<double>(l.scale / k.scale, l.orientation - k.orientation)});
  }
  return pairs;
}

}  // namespace

std::size_t most_votes(const Features& a, const Features& b, const std::vector<Match>& matches, double tolerance) {
  return most_votes(pairs_of(a, b, matches), tolerance, std::vector<bool>(matches.size(), true)).size();
}

std::vector<std::size_t> agreeing_on_similarity(const Features& a, const Features& b, const std::vector<Match>& matches,
                                                double tolerance) {
  const std::vector<Pair> pairs = pairs_of(a, b, matches);
  std::vector<std::size_t> best = most_votes(pairs, tolerance, std::vector<bool>(pairs.size(), true));
  constexpr int rounds = 3;  // of fitting and voting, after which hardly a vote changes; not tuned
  for (int round = 0; round < rounds && best.size() >= least_votes; ++round) {
    const Similarity similarity = fitted(pairs, best);
    best.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (agrees(pairs[i], similarity, tolerance)) best.push_back(i);
    }
  }
  if (best.size() < least_votes) return {};
  std::vector<bool> others(pairs.size(), true);
  for (const std::size_t i : best) others[i] = false;
  if (static_cast<double>(best.size()) < lead * static_cast<double>(most_votes(pairs, tolerance, others).size())) {
    return {};
  }
  return best;
}

}  // namespace octavo::mosaic
