#pragma once

#include <string>

#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// XMP by which programs show a mosaic on a sphere or a cylinder around the viewer; empty for one on a plane.
std::string photo_sphere_xmp(const MosaicPlan& plan);

}  // namespace octavo::mosaic
