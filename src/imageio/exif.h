#pragma once

#include "imageio/decoders.h"

namespace octavo::imageio {

/// The orientation, 1…8, in an EXIF block (a TIFF header and its first directory). It is 1 if the block contains none
/// or is invalid: damaged EXIF data are no reason to refuse the picture.
int exif_orientation(Bytes exif);

/// The picture turned upright. EXIF 2.32, §4.6.4: orientation n gives the sides that the stored row 0 and column 0
/// stand for.
Image turned_upright(Image stored, int orientation);

}  // namespace octavo::imageio
