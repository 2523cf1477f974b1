#pragma once

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/foagdd_options.h"

namespace OCTAVO_API octavo {

/// An Extractor of FOAGDD corners. Corners lie at the centres of pixels and are ordered row by row: x and y are whole
/// numbers. `response` is log10 of the measure (8.4 and more by default). `scale` is the scale of description. `octave`
/// and `layer` are 0. Corners lie in the rows 6 … height − 6 and in the same range of columns, so images below 12×12
/// have none. Described corners can stay on the GPU that found them. Corners without descriptors are always in host
/// memory.
class Foagdd : public Extractor {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Foagdd(const FoagddOptions& options = {}, const DeviceOptions& device = {});
};

/// Makes the extractor for these options. octavo/detectors.h requires such a function of every detector.
inline Extractor extractor_of(const FoagddOptions& options, const DeviceOptions& device) {
  return Foagdd(options, device);
}

}  // namespace octavo
