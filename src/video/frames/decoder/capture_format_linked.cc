// The reader of cameras where libavdevice is linked: one that stands beside the program under another name, as those of
// the Python package do, and brings no other libraries.

extern "C" {
#include <libavdevice/avdevice.h>
}

#include "video/frames/decoder/capture_device.h"
#include "video/frames/decoder/failure.h"

namespace octavo::video {

const AVInputFormat* capture_format() {
  avdevice_register_all();
  const AVInputFormat* const format = av_find_input_format("video4linux2");
  if (format == nullptr) throw DecodeFailure("this libavdevice knows no Video4Linux");
  return format;
}

}  // namespace octavo::video
