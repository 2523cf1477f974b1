#pragma once

#include <optional>
#include <span>

namespace octavo::cli {

/// How long one extraction took.
struct CostSample {
  double megapixels = 0;
  double keypoints = 0;
  double milliseconds = 0;  ///< above 0
};

/// milliseconds ≈ constant + per_megapixel · megapixels + per_keypoint · keypoints; none is negative.
struct CostFit {
  double constant = 0;       ///< [ms]
  double per_megapixel = 0;  ///< [ms]
  double per_keypoint = 0;   ///< [ms]
  double largest_error = 0;  ///< of a sample, as a part of its time
};

/// The fit with the least sum of squared relative errors, so that short times count as much as long ones. None where
/// the samples do not decide it: fewer than six, or sizes and numbers of keypoints that go together.
std::optional<CostFit> fit_cost(std::span<const CostSample> samples);

}  // namespace octavo::cli
