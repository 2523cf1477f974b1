#pragma once

#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/foagdd_options.h"

namespace octavo {

/// An Extractor of FOAGDD corners. They sit on pixels and come row by row: x and y are whole numbers, `response` is
/// log10 of the measure (8.4 and more by default), `scale` the scale of description, octave and layer are 0. Not nearer
/// to the edge than 6 pixels, so images below 12×12 have none. Features always end in host memory.
class Foagdd : public Extractor {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Foagdd(const FoagddOptions& options = {}, const DeviceOptions& device = {});
};

}  // namespace octavo
