// Peaks: the smallest detector with all the parts of a real one. It finds the pixels that are brighter than the eight
// around them. docs/adding-an-algorithm.md walks through these files.
//
// With grey values I of 0…1 the strength of a pixel is s = I − max I of its neighbours. A pixel that is not at the edge
// of the image is a peak if s > t. A peak is a keypoint at its pixel, of scale 1, orientation 0 and response s, without
// a descriptor; in canonical order, hence row by row.

#pragma once

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/option_table.h"

namespace OCTAVO_API octavo {

/// What Peaks computes, the same on every device. Ranges are in the option table.
struct PeaksOptions {
  double peak_threshold = 0.05;  ///< t: a peak is stronger
  Luma luma = Luma::bt709;

  static constexpr bool has_descriptors = false;  // octavo/detectors.h lists what a detector may say of itself

  friend bool operator==(const PeaksOptions&, const PeaksOptions&) = default;
};

template <>
const OptionTable<PeaksOptions>& option_table<PeaksOptions>();

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const PeaksOptions& options);

class Peaks : public Extractor {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Peaks(const PeaksOptions& options = {}, const DeviceOptions& device = {});
};

/// Makes the extractor for these options. octavo/detectors.h requires such a function of every detector.
inline Extractor extractor_of(const PeaksOptions& options, const DeviceOptions& device) {
  return Peaks(options, device);
}

}  // namespace octavo
