#include "engine/sift/sift_parts.h"

#include "octavo/sift_options.h"

namespace octavo {

namespace {

// Rounded once.
ExtremumLimits limits_of(const SiftOptions& options) {
  const double t = options.target_features > 0 ? 0 : options.contrast_threshold, r = options.edge_threshold;
  return {.layers = options.layers,
          .candidate = static_cast<float>(0.5 * t / options.layers),
          .contrast = static_cast<float>(t),
          .edge = r == 0 ? 0 : static_cast<float>((r + 1) * (r + 1) / r)};
}

DescriptionOptions description_of(const SiftOptions& options) {
  return {.max_orientations = options.max_orientations,
          .affine = options.affine,
          .upright = options.upright,
          .orientation = options.orientation,
          .descriptor = options.descriptor,
          .pool = options.pool,
          .pool_from = options.pool_from,
          .pool_to = options.pool_to};
}

}  // namespace

ScaleSpaceOptions scale_space_of(const SiftOptions& options) {
  return {.first_octave = options.first_octave,
          .max_octaves = options.max_octaves,
          .layers = options.layers,
          .sigma = options.sigma,
          .assumed_blur = options.assumed_blur,
          .blur_truncate = options.blur_truncate,
          .border = options.border,
          .luma = options.luma,
          .smoothing = options.smoothing,
          .trilateral_schedule = options.trilateral_schedule,
          .trilateral_range = options.trilateral_range,
          .trilateral_window = options.trilateral_window,
          .trilateral_truncate = options.trilateral_truncate};
}

Budget budget_of(const SiftOptions& options) {
  if (options.target_features > 0) return {.max_features = options.target_features, .rank = Rank::response};
  const bool of_points = options.max_points > 0;
  return {.max_features = of_points ? options.max_points : options.max_features,
          .rank = options.rank,
          .grid = options.grid,
          .of_points = of_points};
}

SiftParts parts_of(const SiftOptions& options) {
  return {.scale_space = scale_space_of(options),
          .limits = limits_of(options),
          .description = description_of(options),
          .budget = budget_of(options)};
}

}  // namespace octavo
