// Replaces gif.cc in a build without giflib.

#include "imageio/decoders.h"

namespace octavo::imageio {

Decoded decode_gif(Bytes, std::uint64_t) {
  throw DecodeError("it is a GIF picture, and Octavo was built without giflib");
}

}  // namespace octavo::imageio
