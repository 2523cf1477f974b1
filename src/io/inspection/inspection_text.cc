// The numbers of an inspection as tables of text.

#include <fmt/core.h>

#include <array>
#include <cstdint>

#include "octavo/io/inspection_folder.h"

namespace octavo {
namespace {

// Adds one line for each octave: the number of its candidates with each verdict.
void add_octaves(std::string& text, const Inspection& inspection) {
  std::array<std::int64_t, verdict_count> sums{};
  for (const InspectedOctave& octave : inspection.octaves) {
    for (std::size_t v = 0; v < verdict_count; ++v) sums[v] += octave.verdicts[v];
  }
  text += fmt::format("{:>6}{:>13}{:>9}", "octave", "pixels", "faint");
  for (std::size_t v = 0; v < verdict_count; ++v) {
    if (sums[v] > 0)
      text += fmt::format("{:>{}}", name_of(static_cast<CandidateVerdict>(v)),
                          name_of(static_cast<CandidateVerdict>(v)).size() + 3);
  }
  text += fmt::format("{:>12}\n", "keypoints");
  for (const InspectedOctave& octave : inspection.octaves) {
    std::int64_t faint = 0;
    for (const std::int64_t n : octave.faint) faint += n;
    text += fmt::format("{:>6}{:>13}{:>9}", octave.octave, fmt::format("{}x{}", octave.width, octave.height), faint);
    for (std::size_t v = 0; v < verdict_count; ++v) {
      if (sums[v] > 0)
        text += fmt::format("{:>{}}", octave.verdicts[v], name_of(static_cast<CandidateVerdict>(v)).size() + 3);
    }
    text += fmt::format("{:>12}\n", octave.keypoints);
  }
}

// Adds one line for each scale: what it rejects.
void add_scales(std::string& text, const Inspection& inspection) {
  text += fmt::format("{:>6}{:>8}{:>12}{:>18}{:>14}{:>10}\n", "scale", "sigma", "judged", "below threshold",
                      "not highest", "passed");
  for (const InspectedScale& s : inspection.scales) {
    text += fmt::format("{:>6}{:>8}{:>12}{:>18}{:>14}{:>10}\n", s.scale, s.sigma, s.judged, s.below_threshold,
                        s.scale == 1 ? fmt::format("{}", s.not_highest) : "-", s.passed);
  }
}

// Adds one line for each octave: the blurs of its images.
void add_sigmas(std::string& text, const Inspection& inspection) {
  for (const InspectedOctave& octave : inspection.octaves) {
    if (octave.sigmas.empty()) continue;
    text += fmt::format("octave {:>2}   sigma of its blurs, in pixels of the image:", octave.octave);
    for (const double sigma : octave.sigmas) text += fmt::format(" {:.3f}", sigma);
    text += '\n';
  }
}

// Adds one line for each kernel: its sigma, and its weights from the centre outwards.
void add_kernels(std::string& text, const Inspection& inspection) {
  for (const BlurKernel& kernel : inspection.kernels) {
    text +=
        fmt::format("blur {}      sigma {:.4f}, {} taps:", kernel.level, kernel.sigma, 2 * kernel.weights.size() - 1);
    for (const float weight : kernel.weights) text += fmt::format(" {:.4f}", weight);
    text += '\n';
  }
}

}  // namespace

std::string text_of(const Inspection& inspection) {
  std::string text;
  if (inspection.octaves.empty()) return text;
  add_octaves(text, inspection);
  if (!inspection.scales.empty()) add_scales(text, inspection);
  add_sigmas(text, inspection);
  add_kernels(text, inspection);
  return text;
}

}  // namespace octavo
