// What the library offers of video: the file is opened here, and read in video_reader.cc.

#include "octavo/video.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "octavo/error.h"
#include "video/packet_decoder.h"
#include "video/video_reader.h"

namespace octavo {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("cannot read '{}': {}", name, why));
}

// An open file, which is closed at the end.
class Input {
 public:
  explicit Input(const std::filesystem::path& file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse(file.string(), why(errno, is_capture_name(file)));
  }
  ~Input() { close(number_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  static bool is_capture_name(const std::filesystem::path& file) { return file.string().starts_with("/dev/video"); }

  static std::string why(int error, bool is_device) {
    if (error == ENOENT)
      return is_device ? "no such device: ls /dev/video* lists those that are there" : "no such file";
    const std::string text = std::generic_category().message(error);
    return error == EACCES && is_device ? text + ": in most systems cameras are for the group video" : text;
  }

  int number_;
};

}  // namespace

class Video::Impl {
 public:
  Impl(int descriptor, const std::string& name, const VideoOptions& options)
      : reader(descriptor, name, options, (validate(options), video::packet_engine(options))) {}

  video::VideoReader reader;
};

// The decoder has its own copy of the descriptor.
Video::Video(const std::filesystem::path& file, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(Input(file).number(), file.string(), options)) {}
Video::Video(int descriptor, const std::string& name, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(descriptor, name, options)) {}
Video::~Video() = default;
Video::Video(Video&&) noexcept = default;
const VideoFacts& Video::facts() const { return impl_->reader.facts(); }
std::optional<VideoFrame> Video::next() { return impl_->reader.next(); }
std::int64_t Video::decoded() const { return impl_->reader.decoded(); }
double Video::decoding_seconds() const { return impl_->reader.decoding_seconds(); }
double Video::seconds_done() const { return impl_->reader.seconds_done(); }
const std::vector<VideoWarning>& Video::warnings() const { return impl_->reader.warnings(); }

}  // namespace octavo
