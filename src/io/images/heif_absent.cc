// Replaces heif.cc in a build without libheif.

#include "io/images/decoders.h"

namespace octavo::io {

Decoded decode_heif(Bytes, std::uint64_t) {
  throw DecodeError("it is a HEIC or AVIF image, and Octavo was built without libheif");
}

ImageMetadata heif_metadata(Bytes) { return {}; }

}  // namespace octavo::io
