// Means over pairs. Every pair has the same weight, whatever its number of keypoints.

#include <functional>

#include "octavo/evaluate.h"

namespace octavo {
namespace {

double mean(std::span<const PairScores> pairs, const std::function<double(const PairScores&)>& value) {
  double sum = 0;
  for (const PairScores& pair : pairs) sum += value(pair);
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

Curve mean_curve(std::span<const PairScores> pairs, const std::function<Curve(const PairScores&)>& curve) {
  Curve sums{};
  for (const PairScores& pair : pairs) {
    const Curve one = curve(pair);
    for (std::size_t i = 0; i < threshold_count; ++i) sums[i] += one[i];
  }
  if (!pairs.empty()) {
    for (double& sum : sums) sum /= static_cast<double>(pairs.size());
  }
  return sums;
}

}  // namespace

Summary summarise(std::span<const PairScores> pairs) {
  Summary summary;
  summary.pairs = static_cast<int>(pairs.size());
  summary.keypoints = mean(pairs, [](const PairScores& p) { return (p.keypoints_a + p.keypoints_b) / 2.0; });
  summary.repeatability = mean_curve(pairs, repeatability);
  summary.matching_accuracy = mean_curve(pairs, matching_accuracy);
  summary.precision = mean_curve(pairs, precision);
  summary.correct = mean_curve(pairs, [](const PairScores& p) {
    Curve counts{};
    for (std::size_t i = 0; i < threshold_count; ++i) counts[i] = p.correct[i];
    return counts;
  });
  summary.correspondence_share = mean(pairs, correspondence_share);
  summary.matching_score = mean(pairs, matching_score);
  summary.matches = mean(pairs, [](const PairScores& p) { return p.matches; });

  std::vector<double> errors;
  for (const PairScores& pair : pairs) {
    if (pair.has_true_homography) errors.push_back(pair.corner_error);
  }
  summary.homographies = static_cast<int>(errors.size());
  for (std::size_t i = 0; i < threshold_count; ++i) {
    const auto threshold = static_cast<double>(i + 1);
    summary.homography_accuracy[i] = accuracy(errors, threshold);
    summary.homography_area[i] = area_under_accuracy(errors, threshold);
  }
  return summary;
}

}  // namespace octavo
