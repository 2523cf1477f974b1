#pragma once

#include <tiffio.h>

#include "octavo/io/image_formats.h"

namespace octavo::io {

/// Gives a TIFF that is being written its metadata, before its pixels; returns whether libtiff takes them.
bool set_tiff_metadata(TIFF* tiff, const ImageMetadata& metadata);

}  // namespace octavo::io
