// Replaces jpeg2000.cc in a build without OpenJPEG.

#include "io/images/decoders.h"

namespace octavo::io {

Decoded decode_jpeg2000(Bytes, std::uint64_t) {
  throw DecodeError("it is a JPEG 2000 image, and Octavo was built without OpenJPEG");
}

}  // namespace octavo::io
