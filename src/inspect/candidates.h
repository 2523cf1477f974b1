// The candidates of one octave, and the verdict on each.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/plane.h"
#include "device/cpu_pool.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// What all octaves are judged by.
struct Judgement {
  const SiftOptions* options = nullptr;
  std::span<const Keypoint> features;  ///< those of the image with these options, in canonical order
  const ImageView* mask = nullptr;     ///< or none
  float contrast = 1;                  ///< what the contrast limits are multiplied by
};

struct JudgedOctave {
  std::vector<Candidate> candidates;  ///< ascending by layer, row, column
  std::vector<std::int64_t> faint;    ///< per layer 1…S, see InspectedOctave
};

/// From the S + 3 Gaussian images of octave `octave` (−1: the doubled image).
JudgedOctave judge_octave(const std::vector<Plane>& levels, int octave, const Judgement& judgement, CpuPool& pool);

}  // namespace octavo::inspection
