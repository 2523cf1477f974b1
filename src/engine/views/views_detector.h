// A detector that looks at the views of an image too. It gives the detector of the image itself one view after the
// other, and brings the keypoints back into the image.

#pragma once

#include <functional>

#include "engine/core/internal_api.h"
#include "engine/extract/detector.h"
#include "octavo/choices.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The detector of the image and of its views. `detector_for` makes the one for views of a tilt, which for 1 is that of
/// the image; `luma` turns colour into grey for the others. Keypoints of tilted views are ellipses. They stay if their
/// centre is at least two of their scales inside the image. A GPU's image is refused with Error(invalid_argument):
/// views are made on the host.
DetectorOnDevices with_views(Views views, Luma luma, const std::function<DetectorOnDevices(int tilt)>& detector_for);

}  // namespace octavo
