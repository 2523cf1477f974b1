#include "engine/scale_space/plan.h"

#include <algorithm>
#include <cmath>

#include "engine/maths/double_precision.h"

namespace octavo {

namespace {

constexpr double ln2 = 0.693147180559945309417;

}  // namespace

Taps gaussian_taps(double sigma, int radius) {
  std::vector<double> exact;
  double sum = 0;
  for (int k = 0; k <= radius; ++k) {
    exact.push_back(maths::exponential(-(k * k) / (2 * sigma * sigma)));
    sum += k == 0 ? exact[0] : 2 * exact.back();
  }
  Taps taps{.sigma = sigma, .weight = {}};
  for (double w : exact) taps.weight.push_back(static_cast<float>(w / sum));
  return taps;
}

Taps gaussian_taps_cut_at(double truncate, double sigma) {
  return gaussian_taps(sigma, std::max(1, static_cast<int>(std::ceil(truncate * sigma))));
}

double sigma_of_level(const ScaleSpaceOptions& options, int level) {
  if (options.smoothing == Smoothing::repeated) return options.sigma * std::sqrt(level);
  const double within_octave = maths::exponential(ln2 * (level % options.layers) / options.layers);
  return options.sigma * std::ldexp(within_octave, level / options.layers);
}

namespace {

// The filters of Lowe 2004.
void plan_growing_blurs(const ScaleSpaceOptions& options, ScaleSpacePlan& plan) {
  // If the image is already blurrier than σ0, only a blur too small to matter is applied (as in OpenCV).
  const double there = options.assumed_blur * (plan.doubled ? 2 : 1);
  const double missing = options.sigma * options.sigma - there * there;
  plan.base = gaussian_taps_cut_at(options.blur_truncate, std::sqrt(std::max(missing, 0.01)));

  for (int i = 1; i <= options.layers + 2; ++i) {
    const double before = maths::exponential(ln2 * 2 * (i - 1) / options.layers);
    const double after = maths::exponential(ln2 * 2 * i / options.layers);
    plan.step.push_back(gaussian_taps_cut_at(options.blur_truncate, options.sigma * std::sqrt(after - before)));
  }
}

void plan_repeated_blur(const ScaleSpaceOptions& options, ScaleSpacePlan& plan) {
  plan.base = {.sigma = 0, .weight = {1.0f}};
  const Taps taps = gaussian_taps(options.sigma, static_cast<int>(std::ceil(2 * options.sigma)));
  plan.step.assign(static_cast<std::size_t>(options.layers) + 2, taps);
}

}  // namespace

ScaleSpacePlan plan_scale_space(int width, int height, const ScaleSpaceOptions& options) {
  ScaleSpacePlan plan;
  plan.doubled = options.first_octave == -1;
  plan.layers = plan.halved = options.layers;
  const bool is_repeated = options.smoothing == Smoothing::repeated;
  // Only keypoints need a border; a kernel needs as many pixels as it may mirror.
  const int smallest = is_repeated ? 4 : smallest_octave;
  if (is_repeated) {
    plan.halved = 2;
    plan_repeated_blur(options, plan);
  } else {
    plan_growing_blurs(options, plan);
  }

  plan.base.border = options.border;
  for (Taps& taps : plan.step) taps.border = options.border;

  Size size{plan.doubled ? 2 * width : width, plan.doubled ? 2 * height : height};
  while (std::min(size.width, size.height) >= smallest &&
         (options.max_octaves == 0 || static_cast<int>(plan.octaves.size()) < options.max_octaves)) {
    plan.octaves.push_back(size);
    size = {size.width / 2, size.height / 2};
  }
  return plan;
}

}  // namespace octavo
