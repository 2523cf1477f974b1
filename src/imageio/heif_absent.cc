// Replaces heif.cc in a build without libheif.

#include "imageio/decoders.h"

namespace octavo::imageio {

Decoded decode_heif(Bytes, std::uint64_t) {
  throw DecodeError("it is a HEIC or AVIF picture, and Octavo was built without libheif");
}

}  // namespace octavo::imageio
