// A patch is found again by least squares (Lucas and Kanade, 1981), the inverse way (Baker and Matthews, "Lucas-Kanade
// 20 years on", IJCV 2004, §3.2). With T the template and I the patch, both with mean 0 and deviation 1 under the
// weights w, the step of the affinity is
//
//     Δ = (Σ w Jᵀ J)⁻¹ · Σ w Jᵀ (I − T),   J = (Tx, Ty, u·Tx, v·Tx, u·Ty, v·Ty)
//
// and the next affinity is the last one after the inverse of I + Δ. All but I is known before the first step, so that a
// step is one matrix of 6 rows times the values, less the same of the template and of the mean. Sums have eight lanes
// in a fixed order, so that they are the same on every machine.

#include "multiview/refine/template.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "engine/maths/double_precision.h"

namespace octavo::refine {
namespace {

constexpr double window = 0.6 * template_half;  // [samples] σ of the weights
constexpr int most_steps = 20;
constexpr double still = 0.02;             // [samples] a step that changes nothing that counts: 0.007 σ
constexpr double farthest = 1.5;           // [σ] detectors do not err more
constexpr double least_correlation = 0.8;  // under the weights

float at(const Patch& patch, int u, int v) {
  return patch[static_cast<std::size_t>((v + patch_half) * patch_side + u + patch_half)];
}

// Tells the samples of a template: index, column and row from its middle.
template <class Take>
void each_sample(const Take& take) {
  std::size_t i = 0;
  for (int v = -template_half; v <= template_half; ++v) {
    for (int u = -template_half; u <= template_half; ++u) take(i++, u, v);
  }
}

}  // namespace

double Template::dot(const Values& a, const Values& b) {
  std::array<float, lanes> sums{};
  for (std::size_t i = 0; i < padded; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  double sum = 0;
  for (const float one : sums) sum += one;
  return sum;
}

const Template::Values& Template::weights() {
  static const Values known = [] {
    Values values{};
    double all = 0;
    each_sample([&](std::size_t i, int u, int v) {
      values[i] = static_cast<float>(maths::exponential(-(u * u + v * v) / (2 * window * window)));
      all += values[i];
    });
    for (float& value : values) value = static_cast<float>(value / all);
    return values;
  }();
  return known;
}

Template::Template(const Patch& patch) {
  Values values{};
  each_sample([&](std::size_t i, int u, int v) { values[i] = at(patch, u, v); });
  const double mean = dot(weights(), values);
  Values squares{};
  for (std::size_t i = 0; i < samples; ++i) {
    const double difference = values[i] - mean;
    squares[i] = static_cast<float>(difference * difference);
  }
  const double deviation = std::sqrt(dot(weights(), squares));
  if (!(deviation > 1)) {  // of the 255 of its patch
    is_flat_ = true;
    return;
  }
  std::array<Values, unknowns> jacobian{};
  each_sample([&](std::size_t i, int u, int v) {
    const auto x = static_cast<float>((at(patch, u + 1, v) - at(patch, u - 1, v)) / (2 * deviation));
    const auto y = static_cast<float>((at(patch, u, v + 1) - at(patch, u, v - 1)) / (2 * deviation));
    const auto right = static_cast<float>(u), down = static_cast<float>(v);
    const std::array<float, unknowns> row{x, y, right * x, down * x, right * y, down * y};
    for (std::size_t k = 0; k < unknowns; ++k) jacobian[k][i] = row[k];
    values[i] = static_cast<float>((values[i] - mean) / deviation);
    weighted_[i] = weights()[i] * values[i];
  });
  std::array<Values, unknowns> weighted{};
  for (std::size_t k = 0; k < unknowns; ++k) {
    for (std::size_t i = 0; i < samples; ++i) weighted[k][i] = weights()[i] * jacobian[k][i];
  }
  constexpr int n = unknowns;
  Eigen::Matrix<double, n, n> normal;
  for (int k = 0; k < n; ++k) {
    for (int l = 0; l <= k; ++l) {
      normal(k, l) = normal(l, k) = dot(weighted[static_cast<std::size_t>(k)], jacobian[static_cast<std::size_t>(l)]);
    }
  }
  const Eigen::LLT<Eigen::Matrix<double, n, n>> factored(normal);
  if (factored.info() != Eigen::Success) {
    is_flat_ = true;
    return;
  }
  const Eigen::Matrix<double, n, n> inverse = factored.solve(Eigen::Matrix<double, n, n>::Identity());
  for (int k = 0; k < n; ++k) {
    Values& step = steps_[static_cast<std::size_t>(k)];
    std::array<double, padded> sums{};
    for (int l = 0; l < n; ++l) {
      const double factor = inverse(k, l);
      for (std::size_t i = 0; i < padded; ++i) sums[i] += factor * weighted[static_cast<std::size_t>(l)][i];
    }
    for (std::size_t i = 0; i < padded; ++i) step[i] = static_cast<float>(sums[i]);
    for (const float one : step) of_one_[static_cast<std::size_t>(k)] += one;
    of_template_[static_cast<std::size_t>(k)] = dot(step, values);
  }
}

Template::Values Template::warped(const Patch& patch, const Affinity& affinity) {
  constexpr auto last = static_cast<float>(patch_side - 1) - 0.001f;
  Values values{};
  std::size_t i = 0;
  for (int v = -template_half; v <= template_half; ++v) {
    const auto left = static_cast<float>(affinity[1] * v + affinity[2] + patch_half);
    const auto top = static_cast<float>(affinity[4] * v + affinity[5] + patch_half);
    const auto right = static_cast<float>(affinity[0]), down = static_cast<float>(affinity[3]);
    for (int u = -template_half; u <= template_half; ++u) {
      const float x = std::clamp(left + right * static_cast<float>(u), 0.0f, last);
      const float y = std::clamp(top + down * static_cast<float>(u), 0.0f, last);
      const int column = static_cast<int>(x), row = static_cast<int>(y);
      const float s = x - static_cast<float>(column), t = y - static_cast<float>(row);
      const std::uint8_t* const p = patch.data() + row * patch_side + column;
      const std::uint8_t* const q = p + patch_side;
      const auto p0 = static_cast<float>(p[0]), p1 = static_cast<float>(p[1]);
      const auto q0 = static_cast<float>(q[0]), q1 = static_cast<float>(q[1]);
      const float above = p0 + s * (p1 - p0), below = q0 + s * (q1 - q0);
      values[i++] = above + t * (below - above);
    }
  }
  return values;
}

std::optional<Keypoint> Template::found(const Keypoint& keypoint, const Patch& patch) const {
  if (is_flat_) return {};
  Affinity affinity{1, 0, 0, 0, 1, 0};
  double first_correlation = 0;
  for (int count = 0; count < most_steps; ++count) {
    Values values = warped(patch, affinity);
    const double mean = dot(weights(), values), correlated = dot(weighted_, values);
    std::array<double, unknowns> step{};
    for (std::size_t k = 0; k < unknowns; ++k) step[k] = dot(steps_[k], values);
    for (std::size_t i = 0; i < samples; ++i) {
      const float difference = values[i] - static_cast<float>(mean);
      values[i] = difference * difference;
    }
    const double deviation = std::sqrt(dot(weights(), values));
    if (!(deviation > 0)) return {};
    const double correlation = correlated / deviation;  // the weighted template has the sum 0
    if (count == 0) first_correlation = correlation;
    for (std::size_t k = 0; k < unknowns; ++k) step[k] = (step[k] - mean * of_one_[k]) / deviation - of_template_[k];
    // affinity := affinity · (I + Δ)⁻¹
    const double a = 1 + step[2], b = step[3], c = step[4], d = 1 + step[5], determinant = a * d - b * c;
    if (!(determinant > 0.1)) return {};
    const std::array<double, 4> inverse{d / determinant, -b / determinant, -c / determinant, a / determinant};
    const double x = -(inverse[0] * step[0] + inverse[1] * step[1]), y = -(inverse[2] * step[0] + inverse[3] * step[1]);
    const Affinity before = affinity;
    for (std::size_t row = 0; row < 6; row += 3) {
      affinity[row] = before[row] * inverse[0] + before[row + 1] * inverse[2];
      affinity[row + 1] = before[row] * inverse[1] + before[row + 1] * inverse[3];
      affinity[row + 2] += before[row] * x + before[row + 1] * y;
    }
    const double right = sample_step * affinity[2], down = sample_step * affinity[5];
    if (!(right * right + down * down < farthest * farthest)) return {};
    if (step[0] * step[0] + step[1] * step[1] >= still * still) continue;
    if (correlation < least_correlation || correlation < first_correlation) return {};
    const std::array<double, 4> frame = affine_matrix(keypoint);
    Keypoint moved = keypoint;
    moved.x = static_cast<float>(keypoint.x + frame[0] * right + frame[1] * down);
    moved.y = static_cast<float>(keypoint.y + frame[2] * right + frame[3] * down);
    return moved;
  }
  return {};
}

}  // namespace octavo::refine
