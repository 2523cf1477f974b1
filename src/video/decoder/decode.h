#pragma once

#include "octavo/video.h"
#include "video/decoder/message_output.h"

namespace octavo::video {

/// Decodes the standard input and sends the facts, the frames that the options take, warnings and the end. Throws
/// DecodeFailure.
void decode(const VideoOptions& options, MessageOutput& output);

}  // namespace octavo::video
