#include "video/frames/decoder/input.h"

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/mem.h>
}

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>

namespace octavo::video {

Input::Input(MessageOutput& output) : output_(output) {
  struct stat facts {};
  is_file_ = fstat(STDIN_FILENO, &facts) == 0 && S_ISREG(facts.st_mode);
  constexpr int size = 1 << 16;
  auto* const buffer = static_cast<unsigned char*>(av_malloc(size));
  context_ = avio_alloc_context(buffer, size, 0, this, read, nullptr, is_file_ ? seek : nullptr);
  if (buffer == nullptr || context_ == nullptr) throw std::bad_alloc();
}

Input::~Input() {
  av_freep(&context_->buffer);
  avio_context_free(&context_);
}

// A pipe may rest for a long time, such as that of a camera. This is no fault of the decoder.
void Input::wait_for_bytes() {
  pollfd wanted{STDIN_FILENO, POLLIN, 0};
  while (poll(&wanted, 1, 50) == 0) output_.beat();
}

int Input::read(void* self, std::uint8_t* bytes, int count) {
  Input& input = *static_cast<Input*>(self);
  ssize_t got = -1;
  do {
    if (!input.is_file_) input.wait_for_bytes();
    // The position of the descriptor is shared with the process that started this one.
    got = input.is_file_ ? pread(STDIN_FILENO, bytes, static_cast<std::size_t>(count), input.at_)
                         : ::read(STDIN_FILENO, bytes, static_cast<std::size_t>(count));
  } while (got < 0 && errno == EINTR);
  if (got < 0) return AVERROR(errno);
  if (got == 0) return AVERROR_EOF;
  input.at_ += got;
  if (input.at_ > input.farthest_) {
    input.farthest_ = input.at_;
    input.output_.beat();
  }
  return static_cast<int>(got);
}

std::int64_t Input::seek(void* self, std::int64_t to, int whence) {
  Input& input = *static_cast<Input*>(self);
  struct stat facts {};
  if (fstat(STDIN_FILENO, &facts) != 0) return AVERROR(errno);
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return facts.st_size;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      to += input.at_;
      break;
    case SEEK_END:
      to += facts.st_size;
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (to < 0) return AVERROR(EINVAL);
  return input.at_ = to;
}

}  // namespace octavo::video
