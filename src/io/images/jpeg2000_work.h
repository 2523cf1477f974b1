#pragma once

#include "io/images/decode_error.h"

namespace octavo::io {

/// Throws DecodeError if a JP2 file or a bare code stream describes more tiles or packets than it can hold, or more
/// channels or pixels than are read. OpenJPEG allocates memory for them before it looks for their data.
void check_jpeg2000_work(Bytes file, std::uint64_t max_pixels);

}  // namespace octavo::io
