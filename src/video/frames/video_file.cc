#include "video/frames/video_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <system_error>

#include "io/files/file_descriptor.h"
#include "octavo/error.h"

namespace octavo::video {
namespace {

bool is_capture_name(const std::filesystem::path& file) { return file.string().starts_with("/dev/video"); }

std::string why(int error, bool is_device) {
  if (error == ENOENT) return is_device ? "no such device: ls /dev/video* lists those that are there" : "no such file";
  const std::string text = std::generic_category().message(error);
  return error == EACCES && is_device ? text + ": in most systems cameras are for the group video" : text;
}

[[noreturn]] void fail_to_read(const std::filesystem::path& file, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("cannot read '{}': {}", file.string(), why));
}

bool is_pipe(const std::filesystem::path& file) {
  std::error_code lost;
  return std::filesystem::is_fifo(file, lost);
}

// Whether a pipe that was opened without waiting for its writer gets one in time. It is then read as others.
bool gets_bytes(int pipe, double patience) {
  pollfd wait{.fd = pipe, .events = POLLIN, .revents = 0};
  const int milliseconds = static_cast<int>(std::lround(patience * 1000));
  if (io::uninterrupted([&] { return poll(&wait, 1, milliseconds); }) == 0) return false;
  fcntl(pipe, F_SETFL, O_RDONLY);
  return true;
}

}  // namespace

VideoFile::VideoFile(const std::filesystem::path& file, double patience) {
  const bool waits = is_pipe(file);
  number_ = open(file.c_str(), O_RDONLY | O_CLOEXEC | (waits ? O_NONBLOCK : 0));
  if (number_ < 0) fail_to_read(file, why(errno, is_capture_name(file)));
  if (!waits || gets_bytes(number_, patience)) return;
  close(number_);
  fail_to_read(file, fmt::format("nothing was written to the pipe for {} s", patience));
}

VideoFile::~VideoFile() { close(number_); }

}  // namespace octavo::video
