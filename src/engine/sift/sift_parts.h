// The options of SIFT by the part of the work that reads them. For users they are flat (octavo/sift_options.h); each
// room gets its part alone. A detector whose points SIFT describes makes these parts from options of its own.

#pragma once

#include "engine/core/internal_api.h"
#include "engine/extract/budget.h"
#include "engine/scale_space/scale_space_options.h"
#include "engine/sift/extrema.h"
#include "octavo/choices.h"

namespace OCTAVO_INTERNAL_API octavo {

struct SiftOptions;

/// How points get shapes, orientations and descriptors. The members are those of SiftOptions.
struct DescriptionOptions {
  int max_orientations = 4;
  bool affine = false;
  bool upright = false;
  OrientationMethod orientation = OrientationMethod::lowe;
  DescriptorKind descriptor = DescriptorKind::sift;
  int pool = 0;
  double pool_from = 0.5;
  double pool_to = 2;
};

struct SiftParts {
  ScaleSpaceOptions scale_space{};
  ExtremumLimits limits{};  ///< not set by detectors that search for no extrema
  DescriptionOptions description{};
  Budget budget{};
};

ScaleSpaceOptions scale_space_of(const SiftOptions& options);
/// A target is the budget of the strongest.
Budget budget_of(const SiftOptions& options);
/// All parts. With a target the limits reject no contrast.
SiftParts parts_of(const SiftOptions& options);

}  // namespace octavo
