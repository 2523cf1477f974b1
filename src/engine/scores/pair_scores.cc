// Scores of a pair of images: points that were detected in both, and matches that are right.

#include "octavo/pair_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "engine/scores/nearby.h"
#include "engine/scores/region_overlap.h"
#include "engine/scores/truth.h"

namespace octavo {
namespace {

using namespace evaluation;

// The distinct places of keypoints in common, in the order of their first keypoints.
std::vector<Point> distinct_points(const std::vector<Placed>& placed, const Features& features) {
  std::set<std::pair<float, float>> seen;
  std::vector<Point> points;
  for (const Placed& one : placed) {
    const Keypoint& k = features.keypoints[static_cast<std::size_t>(one.keypoint)];
    if (seen.emplace(k.x, k.y).second) points.push_back(one.in_b);
  }
  return points;
}

void count(double error, Counts& counts) {
  for (std::size_t i = 0; i < threshold_count; ++i) counts[i] += error <= static_cast<double>(i + 1) ? 1 : 0;
}

void count_points(const Common& in_common, const Features& a, const Features& b, PairScores& scores) {
  const std::vector<Point> points_a = distinct_points(in_common.a, a), points_b = distinct_points(in_common.b, b);
  scores.common_a = static_cast<int>(in_common.a.size());
  scores.common_b = static_cast<int>(in_common.b.size());
  scores.points_a = static_cast<int>(points_a.size());
  scores.points_b = static_cast<int>(points_b.size());

  const Nearby near_a(points_a, threshold_count), near_b(points_b, threshold_count);
  std::vector<int> nearest_of_b;
  for (const Point& p : points_b) {
    const Nearest nearest = near_a.find(p);
    nearest_of_b.push_back(nearest.index);
    if (nearest.index >= 0) count(nearest.distance, scores.repeated_b);
  }
  for (std::size_t i = 0; i < points_a.size(); ++i) {
    const Nearest nearest = near_b.find(points_a[i]);
    if (nearest.index < 0) continue;
    count(nearest.distance, scores.repeated_a);
    const bool mutual = nearest_of_b[static_cast<std::size_t>(nearest.index)] == static_cast<int>(i);
    if (mutual && nearest.distance <= correct_within) ++scores.corresponding;
  }
}

// The number of matches that are judged, and the numbers of right matches at the thresholds.
std::pair<int, Counts> count_matches(const std::vector<double>& errors) {
  int judged = 0;
  Counts correct{};
  for (const double error : errors) {
    if (std::isnan(error)) continue;
    ++judged;
    count(error, correct);
  }
  return {judged, correct};
}

Curve shares(const Counts& counts, int of) {
  Curve curve{};
  if (of > 0) std::transform(counts.begin(), counts.end(), curve.begin(), [of](int n) { return double(n) / of; });
  return curve;
}

}  // namespace

PairScores count_pair(const Features& a, const Features& b, std::span<const Match> mutual,
                      std::span<const Match> matches, const Truth& truth, ImageSize size_a, ImageSize size_b) {
  check(truth, size_a, size_b);
  PairScores scores;
  scores.keypoints_a = static_cast<int>(a.size());
  scores.keypoints_b = static_cast<int>(b.size());
  const Common in_common = common(a, b, truth, size_a, size_b);
  count_points(in_common, a, b, scores);
  scores.mutual_matches = static_cast<int>(mutual.size());
  std::tie(scores.mutual_judged, scores.mutual_correct) = count_matches(match_errors(a, b, mutual, truth));
  scores.matches = static_cast<int>(matches.size());
  std::tie(scores.judged, scores.correct) = count_matches(match_errors(a, b, matches, truth));

  const auto* known = std::get_if<TrueHomography>(&truth);
  scores.has_true_homography = known != nullptr;
  if (known) {
    const RegionCounts regions = count_regions(in_common, a, b, known->b_from_a);
    scores.regions_a = regions.a;
    scores.regions_b = regions.b;
    scores.corresponding_regions = regions.corresponding;
    scores.corner_error = std::numeric_limits<double>::infinity();
  }
  return scores;
}

Curve repeatability(const PairScores& scores) {
  Counts both{};
  std::transform(scores.repeated_a.begin(), scores.repeated_a.end(), scores.repeated_b.begin(), both.begin(),
                 std::plus<>());
  return shares(both, scores.points_a + scores.points_b);
}

Curve matching_accuracy(const PairScores& scores) { return shares(scores.mutual_correct, scores.mutual_judged); }

Curve precision(const PairScores& scores) { return shares(scores.correct, scores.judged); }

double correspondence_share(const PairScores& scores) {
  const int fewer = std::min(scores.points_a, scores.points_b);
  return fewer > 0 ? static_cast<double>(scores.corresponding) / fewer : 0;
}

OverlapCurve region_repeatability(const PairScores& scores) {
  const int fewer = std::min(scores.regions_a, scores.regions_b);
  OverlapCurve curve{};
  for (std::size_t i = 0; i < curve.size(); ++i) {
    curve[i] = fewer > 0 ? static_cast<double>(scores.corresponding_regions[i]) / fewer : 0;
  }
  return curve;
}

double matching_score(const PairScores& scores) {
  const int fewer = std::min(scores.common_a, scores.common_b);
  return fewer > 0 ? static_cast<double>(scores.correct[correct_within - 1]) / fewer : 0;
}

}  // namespace octavo
