#pragma once

#include "multiview/mosaic/intensities.h"
#include "octavo/extractor.h"

namespace octavo::mosaic {

/// The features of a copy of a picture, of half the size of its grey picture, in which the contrast is the same
/// everywhere. Places and scales are those of the picture itself. A picture too small for such a copy has none.
Features features_of_even_contrast(const GreyPicture& picture, Extractor& extractor);

}  // namespace octavo::mosaic
