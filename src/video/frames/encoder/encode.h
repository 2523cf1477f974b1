#pragma once

#include "video/frames/decoder/message_output.h"
#include "video/frames/encode_request.h"

namespace octavo::video {

/// Reads images from the standard input until the last head, encodes them, and writes the file. Throws
/// std::runtime_error, whose sentence does not name the file.
void encode(const EncodeRequest& request, MessageOutput& output);

}  // namespace octavo::video
