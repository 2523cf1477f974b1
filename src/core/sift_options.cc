// The one validator of SIFT's options, and the presets named by their source.

#include "octavo/sift_options.h"

#include <array>
#include <utility>

#include "core/check.h"

namespace octavo {

void validate(const SiftOptions& o) {
  check_range("first_octave", o.first_octave, -1, 0);
  check_range("max_octaves", o.max_octaves, 0, 32);
  check_range("layers", o.layers, 1, 8);
  check_range("sigma", o.sigma, 0.8, 4.0);
  check_range("assumed_blur", o.assumed_blur, 0.0, 4.0);
  check_range("contrast_threshold", o.contrast_threshold, 0.0, 1.0);
  if (o.edge_threshold != 0) check_range("edge_threshold", o.edge_threshold, 1.0, 1000.0);
  check_range("smoothing", static_cast<int>(o.smoothing), 0, 1);
  check_range("trilateral_schedule", static_cast<int>(o.trilateral_schedule), 0, 1);
  check_range("trilateral_range", static_cast<int>(o.trilateral_range), 0, 1);
  check_range("trilateral_window", static_cast<int>(o.trilateral_window), 0, 1);
  check_range("max_orientations", o.max_orientations, 1, 4);
  check_range("luma", static_cast<int>(o.luma), 0, 1);
  check_range("descriptor", static_cast<int>(o.descriptor), 0, 1);
  check_range("max_features", o.max_features, 0, 100'000'000);
  check_range("rank", static_cast<int>(o.rank), 0, 1);
  check_range("grid", o.grid, 1, 64);
}

namespace {

// Lowe 2004: contrast |D(x̂)| < 0.03 (§4), which is 0.09 of our t = S·|D| at S = 3.
SiftOptions lowe2004() { return {.contrast_threshold = 0.09}; }

SiftOptions opencv() { return {.luma = Luma::bt601}; }

// COLMAP's defaults: peak threshold 0.02/S, 4 octaves from −1, at most 2 orientations, the 8192 largest, RootSIFT.
SiftOptions colmap() {
  return {.max_octaves = 4,
          .contrast_threshold = 0.02,
          .max_orientations = 2,
          .descriptor = DescriptorKind::rootsift,
          .max_features = 8192,
          .rank = Rank::scale};
}

// Lo 2022: 4 octaves from −1, 5 blurs and 4 differences each.
SiftOptions ece277() { return {.max_octaves = 4, .layers = 2, .contrast_threshold = 0.03, .edge_threshold = 10}; }

// Mizuno 2015, whose filter Sawada 2024 took over: each image from the one before, and no edge test.
SiftOptions mizuno2015() {
  return {.edge_threshold = 0,
          .smoothing = Smoothing::trilateral,
          .trilateral_schedule = SmoothingSchedule::incremental,
          .trilateral_range = TrilateralRange::gradients};
}

using Preset = std::pair<std::string_view, SiftOptions (*)()>;
constexpr std::array<Preset, 5> presets{
    {{"lowe2004", lowe2004}, {"opencv", opencv}, {"colmap", colmap}, {"ece277", ece277}, {"mizuno2015", mizuno2015}}};

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& p : presets) names.emplace_back(p.first);
  return names;
}

SiftOptions preset(std::string_view name) {
  std::string known;
  for (const Preset& p : presets) {
    if (p.first == name) return p.second();
    known += (known.empty() ? "" : ", ") + std::string(p.first);
  }
  throw Error(ErrorCode::invalid_option, "preset is \"" + std::string(name) + "\", but must be one of " + known);
}

}  // namespace octavo
