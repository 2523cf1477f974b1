// A detector whose images become grey on the host (scale_space/grey_on_host.h).

#pragma once

#include "engine/extract/detector.h"
#include "octavo/choices.h"

namespace octavo {

/// The same detector, which is given images in grey, and describes keypoints in them. A GPU reads them from pinned
/// memory. An image in the memory of a GPU is refused with Error(invalid_argument).
DetectorOnDevices with_grey_on_host(DetectorOnDevices detector, Luma luma);

}  // namespace octavo
