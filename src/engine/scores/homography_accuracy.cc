// The distance of an estimated homography from the true one, as the mean error of the image's corners in pixels (DeTone
// et al., SuperPoint, 2018). Over many pairs the errors give a curve, the share of pairs within a threshold, and the
// area under it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scores/nearby.h"
#include "engine/scores/truth.h"
#include "octavo/pair_scores.h"

namespace octavo {

double corner_error(const std::array<double, 9>& estimated, const std::array<double, 9>& truth, ImageSize a) {
  const double right = a.width - 1, bottom = a.height - 1;
  double sum = 0;
  for (const Point corner : {Point{0, 0}, Point{right, 0}, Point{right, bottom}, Point{0, bottom}}) {
    sum += evaluation::distance(evaluation::project(estimated, corner), evaluation::project(truth, corner));
  }
  return std::isfinite(sum) ? sum / 4 : std::numeric_limits<double>::infinity();
}

double accuracy(std::span<const double> errors, double threshold) {
  if (errors.empty()) return 0;
  const auto within = std::count_if(errors.begin(), errors.end(), [&](double error) { return error <= threshold; });
  return static_cast<double>(within) / static_cast<double>(errors.size());
}

double area_under_accuracy(std::span<const double> errors, double threshold) {
  std::vector<double> sorted(errors.begin(), errors.end());
  std::sort(sorted.begin(), sorted.end());
  double area = 0, last_error = 0, last_share = 0;
  for (std::size_t i = 0; i < sorted.size() && sorted[i] < threshold; ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(sorted.size());
    area += (sorted[i] - last_error) * (last_share + share) / 2;
    last_error = sorted[i];
    last_share = share;
  }
  return (area + (threshold - last_error) * last_share) / threshold;
}

}  // namespace octavo
