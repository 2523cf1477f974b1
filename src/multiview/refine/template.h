#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "multiview/refine/patch.h"

namespace octavo::refine {

/// The middle of a patch, to be found again in others.
class Template {
 public:
  explicit Template(const Patch& patch);

  /// The keypoint, whose patch in its image is given, where that image shows the middle of the template. None: it shows
  /// nothing that is alike near it.
  [[nodiscard]] std::optional<Keypoint> found(const Keypoint& keypoint, const Patch& patch) const;

 private:
  static constexpr std::size_t unknowns = 6, lanes = 8;
  static constexpr int side = 2 * template_half + 1;
  static constexpr std::size_t samples = side * side, padded = (samples + lanes - 1) / lanes * lanes;
  using Values = std::array<float, padded>;  // of the samples, row by row; 0 behind them
  using Affinity = std::array<double, 6>;    // x = a[0]·u + a[1]·v + a[2], y = a[3]·u + a[4]·v + a[5]

  static const Values& weights();  // of the samples; their sum is 1
  static double dot(const Values& a, const Values& b);
  static Values warped(const Patch& patch, const Affinity& affinity);

  bool is_flat_ = false;
  Values weighted_{};                                      // the normalised values, times the weights
  std::array<Values, unknowns> steps_{};                   // what a value adds to the step
  std::array<double, unknowns> of_one_{}, of_template_{};  // the steps of values that are all 1, and of the template's
};

}  // namespace octavo::refine
