#include "video/frames/decoder/capture_device.h"

#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "video/frames/decoder/failure.h"

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

}  // namespace octavo::video
