// Replaces gif.cc in a build without giflib.

#include "io/images/decoders.h"

namespace octavo::io {

Decoded decode_gif(Bytes, std::uint64_t) {
  throw DecodeError("it is a GIF image, and Octavo was built without giflib");
}

}  // namespace octavo::io
