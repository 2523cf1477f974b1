#include "video/frames/decoder/capture_device.h"

#include <fmt/core.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/device/shared_library.h"
#include "video/frames/decoder/failure.h"

// Both libraries are of one release of FFmpeg, and their numbers are the same.
#define OCTAVO_TEXT_OF(number) #number
#define OCTAVO_LIBAVDEVICE(number) "libavdevice.so." OCTAVO_TEXT_OF(number)

namespace octavo::video {

bool is_capture_device() {
  struct stat facts {};
  if (fstat(STDIN_FILENO, &facts) != 0 || !S_ISCHR(facts.st_mode)) return false;
  v4l2_capability device{};
  if (ioctl(STDIN_FILENO, VIDIOC_QUERYCAP, &device) != 0) {
    throw DecodeFailure("this device is no camera: it does not answer as those of Video4Linux do");
  }
  const bool has_own = (device.capabilities & V4L2_CAP_DEVICE_CAPS) != 0;
  if (((has_own ? device.device_caps : device.capabilities) & V4L2_CAP_VIDEO_CAPTURE) != 0) return true;
  throw DecodeFailure("this device of Video4Linux gives no video; most cameras have another one that does");
}

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
