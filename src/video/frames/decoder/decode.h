#pragma once

#include "video/frames/decoder/message_output.h"
#include "video/frames/request.h"

namespace octavo::video {

/// Decodes the standard input and sends the facts, the frames that the options take, or packets if they are wanted and
/// the stream is fit for them, warnings and the end. Throws DecodeFailure.
void decode(const Request& request, MessageOutput& output);

}  // namespace octavo::video
