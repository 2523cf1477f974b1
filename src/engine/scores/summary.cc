// Means over pairs. Every pair has the same weight, whatever its number of keypoints.

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <vector>

#include "octavo/pair_scores.h"

namespace octavo {
namespace {

double mean(std::span<const PairScores> pairs, const std::function<double(const PairScores&)>& value) {
  double sum = 0;
  for (const PairScores& pair : pairs) sum += value(pair);
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

// `curve` gives a std::array of numbers.
template <class CurveOf>
auto mean_curve(std::span<const PairScores> pairs, const CurveOf& curve) {
  std::array<double, std::tuple_size_v<std::invoke_result_t<CurveOf, const PairScores&>>> sums{};
  for (const PairScores& pair : pairs) {
    const auto one = curve(pair);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += one[i];
  }
  if (!pairs.empty()) {
    for (double& sum : sums) sum /= static_cast<double>(pairs.size());
  }
  return sums;
}

void summarise_homographies(std::span<const PairScores> pairs, Summary& summary) {
  std::vector<double> errors;
  for (const PairScores& pair : pairs) errors.push_back(pair.corner_error);
  summary.homographies = static_cast<int>(pairs.size());
  for (std::size_t i = 0; i < threshold_count; ++i) {
    const auto threshold = static_cast<double>(i + 1);
    summary.homography_accuracy[i] = accuracy(errors, threshold);
    summary.homography_area[i] = area_under_accuracy(errors, threshold);
  }
  summary.regions = mean(pairs, [](const PairScores& p) { return (p.regions_a + p.regions_b) / 2.0; });
  summary.region_repeatability = mean_curve(pairs, region_repeatability);
  summary.corresponding_regions = mean_curve(pairs, [](const PairScores& p) { return p.corresponding_regions; });
}

}  // namespace

Summary summarise(std::span<const PairScores> pairs) {
  Summary summary;
  summary.pairs = static_cast<int>(pairs.size());
  summary.keypoints = mean(pairs, [](const PairScores& p) { return (p.keypoints_a + p.keypoints_b) / 2.0; });
  summary.repeatability = mean_curve(pairs, repeatability);
  summary.matching_accuracy = mean_curve(pairs, matching_accuracy);
  summary.precision = mean_curve(pairs, precision);
  summary.correct = mean_curve(pairs, [](const PairScores& p) { return p.correct; });
  summary.correspondence_share = mean(pairs, correspondence_share);
  summary.matching_score = mean(pairs, matching_score);
  summary.matches = mean(pairs, [](const PairScores& p) { return p.matches; });

  std::vector<PairScores> known;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(known),
               [](const PairScores& pair) { return pair.has_true_homography; });
  summarise_homographies(known, summary);
  return summary;
}

}  // namespace octavo
