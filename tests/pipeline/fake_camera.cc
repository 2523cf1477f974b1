// A camera of Video4Linux for machines without one. Loaded before the C library (LD_PRELOAD), it lets /dev/null be a
// device of 64x48 grey pixels, 25 frames a second: frame i is a ramp that is shifted by i pixels. After 20 frames the
// camera is pulled out (ENODEV). Where OCTAVO_FAKE_CAMERA_CAPTURES is "metadata" the device captures no video.

#include <linux/videodev2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr unsigned width = 64, height = 48, buffers_at_most = 4;
constexpr int frames = 20;

std::array<unsigned char*, buffers_at_most> memory{};
std::array<unsigned, 64> queue{};
unsigned queued = 0;
int shown = 0;

bool is_camera(int descriptor) {
  struct stat facts {};
  return fstat(descriptor, &facts) == 0 && S_ISCHR(facts.st_mode) && facts.st_rdev == makedev(1, 3);
}

int fail(int error) {
  errno = error;
  return -1;
}

void set_format(v4l2_format& format) {
  format.fmt.pix.width = width;
  format.fmt.pix.height = height;
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_GREY;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  format.fmt.pix.bytesperline = width;
  format.fmt.pix.sizeimage = width * height;
}

int take_frame(v4l2_buffer& buffer) {
  if (shown == frames) return fail(ENODEV);
  usleep(40'000);
  buffer.index = queue[0];
  std::memmove(queue.data(), queue.data() + 1, (queue.size() - 1) * sizeof queue[0]);
  --queued;
  for (unsigned i = 0; i < width * height; ++i) {
    memory[buffer.index][i] = static_cast<unsigned char>(3 * (i % width + static_cast<unsigned>(shown)));
  }
  buffer.bytesused = width * height;
  buffer.flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  buffer.timestamp = {1000 + shown / 25, shown % 25 * 40'000};
  ++shown;
  return 0;
}

int answer(unsigned long request, void* argument) {
  switch (request) {
    case VIDIOC_QUERYCAP: {
      const char* const kind = std::getenv("OCTAVO_FAKE_CAMERA_CAPTURES");
      auto& device = *static_cast<v4l2_capability*>(argument);
      device = {};
      device.capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_DEVICE_CAPS;
      const bool is_other = kind != nullptr && std::string_view(kind) == "metadata";
      device.device_caps = V4L2_CAP_STREAMING | (is_other ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE);
      return 0;
    }
    case VIDIOC_G_INPUT:
      *static_cast<int*>(argument) = 0;
      return 0;
    case VIDIOC_ENUMINPUT:  // a camera, of no standard of television
      static_cast<v4l2_input*>(argument)->std = 0;
      return 0;
    case VIDIOC_G_FMT:
      set_format(*static_cast<v4l2_format*>(argument));
      return 0;
    case VIDIOC_S_FMT: {
      auto& format = *static_cast<v4l2_format*>(argument);
      if (format.fmt.pix.pixelformat != V4L2_PIX_FMT_GREY) return fail(EINVAL);
      set_format(format);
      return 0;
    }
    case VIDIOC_G_PARM: {
      auto& parameters = *static_cast<v4l2_streamparm*>(argument);
      parameters.parm.capture.timeperframe = {1, 25};
      return 0;
    }
    case VIDIOC_REQBUFS: {
      auto& wanted = *static_cast<v4l2_requestbuffers*>(argument);
      if (wanted.count > buffers_at_most) wanted.count = buffers_at_most;
      return 0;
    }
    case VIDIOC_QUERYBUF: {
      auto& buffer = *static_cast<v4l2_buffer*>(argument);
      buffer.length = width * height;
      buffer.m.offset = buffer.index * 4096;
      return 0;
    }
    case VIDIOC_QBUF:
      queue[queued++] = static_cast<v4l2_buffer*>(argument)->index;
      return 0;
    case VIDIOC_DQBUF:
      return take_frame(*static_cast<v4l2_buffer*>(argument));
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
      return 0;
    default:
      return fail(EINVAL);
  }
}

}  // namespace

extern "C" int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  // FFmpeg passes the number as int, so its upper half may be set.
  if (is_camera(descriptor)) return answer(request & 0xffffffffUL, argument);
  return static_cast<int>(syscall(SYS_ioctl, descriptor, request, argument));
}

extern "C" void* mmap(void* wanted, size_t length, int protection, int flags, int descriptor, off_t offset) noexcept {
  if (descriptor >= 0 && is_camera(descriptor)) {
    auto* const bytes = static_cast<unsigned char*>(std::calloc(1, width * height));
    memory[static_cast<std::size_t>(offset) / 4096] = bytes;
    return bytes;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, wanted, length, protection, flags, descriptor, offset));
}

extern "C" void* mmap64(void* wanted, size_t length, int protection, int flags, int descriptor, off_t offset) noexcept {
  return mmap(wanted, length, protection, flags, descriptor, offset);
}
