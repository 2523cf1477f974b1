#pragma once

#include "imageio/decoders.h"

namespace octavo::imageio {

/// The orientation, 1…8, that an EXIF block (a TIFF header and its first directory) states; 1 if it states none or
/// makes no sense: a damaged note is no reason to refuse the picture.
int exif_orientation(Bytes exif);

/// The picture turned upright. EXIF 2.32, §4.6.4: orientation n says where the stored row 0 and column 0 belong.
Image turned_upright(Image stored, int orientation);

}  // namespace octavo::imageio
