#include "video/frames/encoder/file_output.h"

extern "C" {
#include <libavutil/error.h>
#include <libavutil/mem.h>
}

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>

#include "video/frames/helper_process.h"

namespace octavo::video {

FileOutput::FileOutput(bool is_stream) : is_stream_(is_stream) {
  constexpr int size = 1 << 16;
  auto* const buffer = static_cast<unsigned char*>(av_malloc(size));
  context_ = avio_alloc_context(buffer, size, 1, this, nullptr, write, is_stream ? nullptr : seek);
  if (buffer == nullptr || context_ == nullptr) throw std::bad_alloc();
}

FileOutput::~FileOutput() {
  av_freep(&context_->buffer);
  avio_context_free(&context_);
}

template <class Byte>
int FileOutput::write(void* self, Byte* bytes, int count) {
  FileOutput& output = *static_cast<FileOutput*>(self);
  for (int done = 0; done < count;) {
    const auto left = static_cast<std::size_t>(count - done);
    const ssize_t now = output.is_stream_ ? ::write(output_file_descriptor, bytes + done, left)
                                          : pwrite(output_file_descriptor, bytes + done, left, output.at_);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return AVERROR(now < 0 ? errno : EIO);
    done += static_cast<int>(now);
    output.at_ += now;
  }
  output.size_ = std::max(output.size_, output.at_);
  return count;
}

std::int64_t FileOutput::seek(void* self, std::int64_t offset, int whence) {
  FileOutput& output = *static_cast<FileOutput*>(self);
  if (whence == AVSEEK_SIZE) return output.size_;
  const std::int64_t from = whence == SEEK_CUR ? output.at_ : whence == SEEK_END ? output.size_ : 0;
  output.at_ = from + offset;
  return output.at_;
}

}  // namespace octavo::video
