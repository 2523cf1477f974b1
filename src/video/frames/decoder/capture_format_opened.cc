// The reader of cameras where libavdevice is opened by its name, once there is a camera.

#include <fmt/core.h>

#include "engine/device/shared_library.h"
#include "video/frames/decoder/capture_device.h"
#include "video/frames/decoder/failure.h"

// Both libraries are of one release of FFmpeg, and their numbers are the same.
#define OCTAVO_TEXT_OF(number) #number
#define OCTAVO_LIBAVDEVICE(number) "libavdevice.so." OCTAVO_TEXT_OF(number)

namespace octavo::video {

const AVInputFormat* capture_format() {
  constexpr const char* name = OCTAVO_LIBAVDEVICE(LIBAVFORMAT_VERSION_MAJOR);
  const SharedLibrary library({name});
  if (!library.loaded()) {
    throw DecodeFailure(fmt::format("a camera is read by FFmpeg's libavdevice: {}", library.problem()));
  }
  library.function<void()>("avdevice_register_all")();
  const AVInputFormat* const format = av_find_input_format("video4linux2");
  if (format == nullptr) throw DecodeFailure(fmt::format("{} knows no Video4Linux", name));
  return format;
}

}  // namespace octavo::video
