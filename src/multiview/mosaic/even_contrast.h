#pragma once

#include "multiview/mosaic/intensities.h"
#include "octavo/extractor.h"

namespace octavo::mosaic {

/// The features of a copy of an image, of half the size of its grey image, in which the contrast is the same
/// everywhere. Places and scales are those of the image itself. An image too small for such a copy has none.
Features features_of_even_contrast(const GreyImage& image, Extractor& extractor);

}  // namespace octavo::mosaic
