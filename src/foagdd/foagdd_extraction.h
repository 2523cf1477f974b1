// From a valid image to corners as features: what a Foagdd runs, whatever its device.

#pragma once

#include <vector>

#include "octavo/device.h"
#include "octavo/foagdd_options.h"
#include "sift/extraction.h"

namespace octavo {

/// One for each device that is named. Throws Error(invalid_option) or Error(device_unavailable).
std::vector<Extractions> make_extractions(const FoagddOptions& options, const DeviceOptions& device);

}  // namespace octavo
