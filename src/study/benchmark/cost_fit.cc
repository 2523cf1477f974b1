// Weighted linear least squares without negative costs. Each row of the system is a sample divided by its time, so that
// its right side is 1 and its residual is the relative error. The three costs have only eight sets of non-zero costs,
// so all sets are tried; the active-set method of Lawson and Hanson (1974, chapter 23) is not needed. Columns are
// scaled to unit length before the rank is determined.

#include "io/opencv/opencv_error.h"
#include "study/benchmark/benchmark.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <opencv2/core.hpp>

namespace octavo {
namespace {

constexpr int unknowns = 3;

cv::Vec3d scaled(const CostSample& sample) {
  return cv::Vec3d(1, sample.megapixels, sample.keypoints) / sample.milliseconds;
}

// The least-squares solution over the columns of `chosen` (bit j: column j). The other costs are 0.
cv::Vec3d solve(const cv::Mat1d& system, unsigned chosen) {
  cv::Mat1d columns(system.rows, 0), solution;
  for (int j = 0; j < unknowns; ++j) {
    if ((chosen >> j & 1) != 0) cv::hconcat(columns, system.col(j), columns);
  }
  cv::solve(columns, cv::Mat1d::ones(system.rows, 1), solution, cv::DECOMP_SVD);
  cv::Vec3d costs(0, 0, 0);
  for (int j = 0, next = 0; j < unknowns; ++j) {
    if ((chosen >> j & 1) != 0) costs[j] = solution(next++);
  }
  return costs;
}

}  // namespace

std::optional<CostFit> fit_cost(std::span<const CostSample> samples) try {
  constexpr double singular = 1e-6;
  const int count = static_cast<int>(samples.size());
  if (samples.size() < least_cost_samples) return std::nullopt;

  cv::Mat1d system(count, unknowns);
  for (int i = 0; i < count; ++i) {
    const cv::Vec3d row = scaled(samples[static_cast<std::size_t>(i)]);
    for (int j = 0; j < unknowns; ++j) system(i, j) = row[j];
  }
  cv::Vec3d length;
  for (int j = 0; j < unknowns; ++j) {
    length[j] = cv::norm(system.col(j));
    if (length[j] == 0) return std::nullopt;
    system.col(j) /= length[j];
  }
  const cv::SVD svd(system, cv::SVD::NO_UV);
  if (svd.w.at<double>(unknowns - 1) < singular * svd.w.at<double>(0)) return std::nullopt;

  cv::Vec3d best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1U << unknowns; ++chosen) {
    const cv::Vec3d costs = solve(system, chosen);
    if (std::min({costs[0], costs[1], costs[2]}) < 0) continue;
    const double error = cv::norm(cv::Mat(system * cv::Mat(costs) - cv::Mat1d::ones(count, 1)));
    if (error < least) {
      least = error;
      best = costs;
    }
  }
  for (int j = 0; j < unknowns; ++j) best[j] /= length[j];

  CostFit fit{.constant = best[0], .per_megapixel = best[1], .per_keypoint = best[2]};
  for (const CostSample& sample : samples) {
    fit.largest_error = std::max(fit.largest_error, std::abs(scaled(sample).dot(best) - 1));
  }
  return fit;
} catch (const cv::Exception& error) {
  throw_error_of(error, "the costs cannot be fitted");
}

}  // namespace octavo
