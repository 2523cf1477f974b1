// The candidates of one octave, and the verdict on each.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/plane.h"
#include "engine/device/cpu_pool.h"
#include "engine/sift/sift_parts.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// The data that the verdicts of all octaves depend on.
struct Judgement {
  const SiftParts* parts = nullptr;
  /// The features of the image with these parts, in canonical order.
  std::span<const Keypoint> features;
  const ImageView* mask = nullptr;  ///< null if there is none
  float contrast = 1;               ///< the factor of the contrast limits
};

struct JudgedOctave {
  std::vector<Candidate> candidates;  ///< ascending by layer, row, column
  std::vector<std::int64_t> faint;    ///< per layer 1…S, see InspectedOctave
};

/// Computes them from the S + 3 Gaussian images of octave `octave` (−1: the doubled image).
JudgedOctave judge_octave(const std::vector<Plane>& levels, int octave, const Judgement& judgement, CpuPool& pool);

}  // namespace octavo::inspection
