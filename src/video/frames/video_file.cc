#include "video/frames/video_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "octavo/error.h"

namespace octavo::video {
namespace {

bool is_capture_name(const std::filesystem::path& file) { return file.string().starts_with("/dev/video"); }

std::string why(int error, bool is_device) {
  if (error == ENOENT) return is_device ? "no such device: ls /dev/video* lists those that are there" : "no such file";
  const std::string text = std::generic_category().message(error);
  return error == EACCES && is_device ? text + ": in most systems cameras are for the group video" : text;
}

}  // namespace

VideoFile::VideoFile(const std::filesystem::path& file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (number_ >= 0) return;
  throw Error(ErrorCode::file_error,
              fmt::format("cannot read '{}': {}", file.string(), why(errno, is_capture_name(file))));
}

VideoFile::~VideoFile() { close(number_); }

}  // namespace octavo::video
