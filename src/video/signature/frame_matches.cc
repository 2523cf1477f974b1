// Matches of two frames. Codes are compared one with every other. Each pair of features alone gives a similarity, by
// its places, scales and orientations (Lowe 2004; Jégou, Douze and Schmid 2008 use the same as weak consistency). All
// are tried, so nothing is random, and the one that most pairs agree with is fitted to them by least squares. Where it
// leaves most pairs unexplained, the same is tried with the image stretched in one direction. Only + − × ÷ and square
// roots of doubles, in one order, so the result is the same on every machine.

#include "video/signature/frame_matches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "engine/device/cpu_isa.h"
#include "engine/maths/double_precision.h"
#include "engine/retrieval/near_codes.h"
#include "video/signature/false_alarms.h"

namespace octavo {
namespace {

// Of right pairs 98.8 % and more are within 40 bits, of pairs of different images 0.8 % (docs/retrieval.md, Words and
// codes of descriptors). The other numbers were chosen on three clips: docs/video-search.md, What was measured.
constexpr int most_distance = 40;          // [bit] of 128
constexpr std::size_t hypotheses = 64;     // the nearest pairs give them
constexpr int least_inliers = 4;           // a similarity needs 2 pairs; fewer than 4 say nothing
constexpr int most_scale_error = 10;       // [1/16 octave] of a pair, from the similarity
constexpr int most_turn_error = 20;        // [2π/256]
constexpr double first_tolerance = 0.02;   // of the longer side of b, as the next: of the hypothesis of a pair
constexpr double tolerance_growth = 0.1;   // and of the distance from it, for its scale and orientation are rough
constexpr double last_tolerance = 0.01;    // of that side: after least squares
constexpr double known_tolerance = 0.015;  // of that side: of a similarity that other frames give
// The share of unrelated pairs whose scale and turn lie within the errors above. 41 of 256 turns do, 0.16, if they are
// even; in images they are less so.
constexpr double chance_of_frame = 0.2;
// Of the width of a, with which hypotheses are made. A tenth of a distance is what they may be wrong by (below), so
// between two of them nothing is lost.
constexpr std::array<double, 4> stretches{1 / 1.3, 1.3, 1 / 1.69, 1.69};
// A stretch is told where its significance is greater by so much: if chance gave the difference once in a thousand
// times.
constexpr double more_of_stretch = 3;
constexpr std::size_t hypotheses_of_stretch = 16;  // the nearest pairs, for each stretch
// Of last_tolerance, in the rounds of least squares; the first of them are of a stretch alone.
constexpr std::array<double, 8> rounds{2, 2, 2, 2, 2, 1.5, 1, 1};
constexpr std::size_t rounds_of_stretch = 4;

FramePoint place_of(const SignatureFeature& feature) { return {feature.x / 64.0, feature.y / 64.0}; }

double squared(double x) { return x * x; }

double longer_side(const FrameSignature& frame) { return std::max(frame.width, frame.height); }

// 2^(n/16), |n| ≤ 255.
double power_of_scale(int n) {
  static const std::array<double, 16> fractions = [] {
    std::array<double, 16> powers{};
    powers[0] = 1;
    const double step = std::sqrt(std::sqrt(std::sqrt(std::sqrt(2.0))));
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * step;
    return powers;
  }();
  const int octave = n >= 0 ? n / 16 : -((15 - n) / 16);
  return std::ldexp(fractions[static_cast<std::size_t>(n - 16 * octave)], octave);
}

// The cosine and sine of n·2π/256.
FramePoint direction(int n) {
  static const std::array<FramePoint, 256> directions = [] {
    std::array<FramePoint, 256> table{};
    for (int i = 0; i < 64; ++i) {
      const double angle = i * maths::pi / 128;
      const double c = maths::cosine(angle), s = maths::sine(angle);
      const auto at = static_cast<std::size_t>(i);
      table[at] = {c, s};
      table[at + 64] = {-s, c};
      table[at + 128] = {-c, -s};
      table[at + 192] = {s, -c};
    }
    return table;
  }();
  return directions[static_cast<std::size_t>(n & 255)];
}

// The frames of a match.
struct Two {
  const FrameSignature &a, &b;
};

// A pair with all that the similarities are compared with.
struct Placed {
  FramePoint a, b;
  int scale = 0;  // [1/16 octave] from a to b
  int turn = 0;   // [2π/256] from a to b, 0…255
  FeaturePair pair;
};

std::vector<Placed> placed(const FrameSignature& a, const FrameSignature& b, const std::vector<FeaturePair>& pairs) {
  std::vector<Placed> all;
  all.reserve(pairs.size());
  for (const FeaturePair& pair : pairs) {
    const SignatureFeature& of_a = a.features[pair.a];
    const SignatureFeature& of_b = b.features[pair.b];
    all.push_back(
        {place_of(of_a), place_of(of_b), of_b.scale - of_a.scale, (of_b.orientation - of_a.orientation) & 255, pair});
  }
  return all;
}

// The scale of a feature grows as the root of the area.
Similarity hypothesis_of(const Placed& pair, double stretch) {
  const double scale = power_of_scale(pair.scale) / std::sqrt(stretch);
  const FramePoint turn = direction(pair.turn);
  Similarity s{scale * turn.x, scale * turn.y, 0, 0, stretch};
  const FramePoint moved = mapped(s, pair.a);
  s.tx = pair.b.x - moved.x;
  s.ty = pair.b.y - moved.y;
  return s;
}

int turn_between(int a, int b) {
  const int turn = (a - b) & 255;
  return std::min(turn, 256 - turn);
}

// Scale and turn of a similarity in the units of features.
struct Frame {
  int scale = 0, turn = 0;
};

Frame frame_of(const Similarity& s) {
  // The nearest table entries: exact searches, no logarithm and no arc tangent.
  const double squared_scale = growth_of_area(s);
  int scale = -96;
  while (scale < 96 && squared(power_of_scale(scale)) * 1.0443 < squared_scale) ++scale;  // 2^(1/16): half a step
  int turn = 0;
  double best = -std::numeric_limits<double>::infinity();
  for (int n = 0; n < 256; ++n) {
    const FramePoint d = direction(n);
    const double along = d.x * s.a + d.y * s.b;
    if (along > best) {
      best = along;
      turn = n;
    }
  }
  return {scale, turn};
}

bool has_frame(const Placed& pair, const Frame& frame) {
  return std::abs(pair.scale - frame.scale) <= most_scale_error &&
         turn_between(pair.turn, frame.turn) <= most_turn_error;
}

double squared_error(const Similarity& s, const Placed& pair) {
  const FramePoint m = mapped(s, pair.a);
  return squared(m.x - pair.b.x) + squared(m.y - pair.b.y);
}

// Whether a pair agrees with the rough similarity that another one gives.
bool agrees_with(const Placed& pair, const Placed& giver, const Similarity& s, double side) {
  if (!has_frame(pair, {giver.scale, giver.turn})) return false;
  const double distance2 = squared(pair.b.x - giver.b.x) + squared(pair.b.y - giver.b.y);
  // (t + g·d)² ≤ 2t² + 2g²d², without a square root
  const double limit = 2 * (squared(first_tolerance * side) + squared(tolerance_growth) * distance2);
  return squared_error(s, pair) <= limit;
}

// The pairs that agree with the best of the similarities of this stretch that one pair gives. The nearest pairs are
// tried first; one that half of all pairs agree with ends the search.
std::vector<const Placed*> best_of_pairs(const std::vector<Placed>& pairs, double side, double stretch,
                                         std::size_t tried) {
  std::size_t most = 0;
  const Placed* best = nullptr;
  for (std::size_t i = 0; i < std::min(pairs.size(), tried) && 2 * most < pairs.size(); ++i) {
    const Similarity s = hypothesis_of(pairs[i], stretch);
    const auto agreeing = static_cast<std::size_t>(std::count_if(
        pairs.begin(), pairs.end(), [&](const Placed& pair) { return agrees_with(pair, pairs[i], s, side); }));
    if (agreeing <= most) continue;
    most = agreeing;
    best = &pairs[i];
  }
  std::vector<const Placed*> inliers;
  if (best == nullptr) return inliers;
  const Similarity s = hypothesis_of(*best, stretch);
  for (const Placed& pair : pairs) {
    if (agrees_with(pair, *best, s, side)) inliers.push_back(&pair);
  }
  return inliers;
}

std::vector<const Placed*> inliers_within(const std::vector<Placed>& pairs, const Similarity& s, double tolerance) {
  const Frame frame = frame_of(s);
  std::vector<const Placed*> inliers;
  for (const Placed& pair : pairs) {
    if (has_frame(pair, frame) && squared_error(s, pair) <= squared(tolerance)) inliers.push_back(&pair);
  }
  return inliers;
}

// The places of these pairs in both frames.
Agreement places_of(const std::vector<const Placed*>& pairs) {
  Agreement places;
  places.in_a.reserve(pairs.size());
  places.in_b.reserve(pairs.size());
  for (const Placed* pair : pairs) {
    places.in_a.push_back(pair->a);
    places.in_b.push_back(pair->b);
  }
  return places;
}

// The probability that a pair agrees with a place in b by chance.
double chance_of_place(const FrameSignature& b, double tolerance) {
  return maths::pi * squared(tolerance) / (static_cast<double>(b.width) * b.height);
}

// The pairs whose places a similarity follows from. Two and a half give one with a stretch.
int pairs_that_give(const Similarity& s) { return s.stretch == 1 ? 2 : 3; }

CodeColumns columns_of(const FrameSignature& frame) {
  CodeColumns columns;
  for (const SignatureFeature& feature : frame.features) {
    columns.low.push_back(feature.code[0]);
    columns.high.push_back(feature.code[1]);
  }
  return columns;
}

// A match, and the pairs that agree with it.
struct Grown {
  FrameMatch match;
  std::vector<const Placed*> inliers;
};

// The match by the similarity that these pairs give. Its first rounds find what agrees farther away, where a stretch
// that is not known yet counts most.
Grown grown_from(std::vector<const Placed*> inliers, const Two& frames, const std::vector<Placed>& all,
                 bool may_stretch) {
  Grown grown{{.matches = static_cast<int>(all.size())}, {}};
  const double side = longer_side(frames.b);
  Similarity similarity;
  for (const double tolerance : std::span(rounds).subspan(may_stretch ? 0 : rounds_of_stretch)) {
    if (static_cast<int>(inliers.size()) < least_inliers) return grown;
    const Agreement places = places_of(inliers);
    const std::optional<Similarity> better = refitted(similarity, places.in_a, places.in_b, may_stretch);
    if (!better) return grown;
    similarity = *better;
    inliers = inliers_within(all, similarity, tolerance * last_tolerance * side);
  }
  if (static_cast<int>(inliers.size()) < least_inliers) return grown;
  FrameMatch& match = grown.match;
  match.inliers = static_cast<int>(inliers.size());
  match.b_from_a = similarity;
  match.spread = spread_of(places_of(inliers).in_b, similarity, frames.a, frames.b);
  match.significance = significance(match.inliers, match.matches, chance_of_place(frames.b, last_tolerance * side),
                                    pairs_that_give(similarity));
  grown.inliers = std::move(inliers);
  return grown;
}

}  // namespace

std::vector<FeaturePair> near_pairs(const FrameSignature& a, const FrameSignature& b, const Isa& isa) {
  const CodeDistances distances_of = code_distances(isa);
  const CodeColumns codes = columns_of(b);
  const std::size_t n = b.features.size();
  std::vector<std::uint8_t> row(n), nearest(n, 255);  // distances from a feature of a, and the least of all of a
  std::vector<std::uint8_t> least(a.features.size(), 255);
  std::vector<std::uint16_t> nearest_in_b(a.features.size());
  for (std::size_t i = 0; i < a.features.size(); ++i) {
    distances_of(a.features[i].code, codes, row.data());
    std::uint8_t minimum = 255;
    for (std::size_t j = 0; j < n; ++j) {
      minimum = std::min(minimum, row[j]);
      nearest[j] = std::min(nearest[j], row[j]);
    }
    if (minimum > most_distance) continue;
    least[i] = minimum;
    nearest_in_b[i] = static_cast<std::uint16_t>(std::find(row.begin(), row.end(), minimum) - row.begin());
  }
  // Of several equally near features of a the first counts.
  std::vector<bool> is_taken(n);
  std::vector<FeaturePair> pairs;
  for (std::size_t i = 0; i < a.features.size(); ++i) {
    const std::uint16_t j = nearest_in_b[i];
    if (least[i] > most_distance || least[i] > nearest[j] || is_taken[j]) continue;
    is_taken[j] = true;
    pairs.push_back({static_cast<std::uint16_t>(i), j, least[i]});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const FeaturePair& p, const FeaturePair& q) { return p.distance < q.distance; });
  return pairs;
}

FrameMatch match_of(const FrameSignature& a, const FrameSignature& b, const std::vector<FeaturePair>& pairs) {
  FrameMatch best{.matches = static_cast<int>(pairs.size())};
  if (best.matches < least_inliers) return best;
  const std::vector<Placed> all = placed(a, b, pairs);
  const double side = longer_side(b);
  const Grown plain = grown_from(best_of_pairs(all, side, 1, hypotheses), {a, b}, all, false);
  best = plain.match;
  const auto take = [&](const FrameMatch& one) {
    if (one.significance > std::max(best.significance, 0.0) + more_of_stretch) best = one;
  };
  take(grown_from(plain.inliers, {a, b}, all, true).match);
  if (2 * best.inliers >= best.matches) return best;
  for (const double stretch : stretches) {
    take(grown_from(best_of_pairs(all, side, stretch, hypotheses_of_stretch), {a, b}, all, true).match);
  }
  return best;
}

FrameMatch match_frames(const FrameSignature& a, const FrameSignature& b, const std::string& isa) {
  return match_of(a, b, near_pairs(a, b, find_isa(isa)));
}

Agreement agreement(const FrameSignature& a, const FrameSignature& b, const std::vector<FeaturePair>& pairs,
                    const Similarity& b_from_a) {
  const double tolerance = known_tolerance * longer_side(b);
  Agreement found = places_of(inliers_within(placed(a, b, pairs), b_from_a, tolerance));
  const double chance = chance_of_place(b, tolerance);
  const auto inliers = static_cast<int>(found.in_a.size()), matches = static_cast<int>(pairs.size());
  found.evidence = std::max(0.0, significance_of_known(inliers, matches, chance * chance_of_frame));
  found.significance = std::max(0.0, significance(inliers, matches, chance, pairs_that_give(b_from_a)));
  return found;
}

}  // namespace octavo
