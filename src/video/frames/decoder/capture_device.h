#pragma once

// A camera as the standard input: a device of Video4Linux, which the library opens as it opens files, and FFmpeg's
// libavdevice reads. libavdevice brings some 80 shared libraries more, so it is opened only for a device, unless
// the build asks to link it (OCTAVO_LINK_AVDEVICE).

extern "C" {
#include <libavformat/avformat.h>
}

namespace octavo::video {

/// Whether the standard input is a device of Video4Linux that captures video. Throws DecodeFailure for other
/// devices, such as the second one of many cameras, which gives data about the frames only.
bool is_capture_device();

/// libavdevice's reader of these devices. Throws DecodeFailure if it is missing.
const AVInputFormat* capture_format();

/// A name under which that reader finds the standard input.
inline constexpr const char* capture_name = "/proc/self/fd/0";

}  // namespace octavo::video
