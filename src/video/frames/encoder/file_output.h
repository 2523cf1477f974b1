#pragma once

extern "C" {
#include <libavformat/avio.h>
}

#include <cstdint>

namespace octavo::video {

/// The open file that the library passes, for FFmpeg to write and, unless it is a stream, to seek in.
class FileOutput {
 public:
  explicit FileOutput(bool is_stream);
  ~FileOutput();
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  [[nodiscard]] AVIOContext* context() const { return context_; }

 private:
  template <class Byte>  // constant since FFmpeg 7
  static int write(void* self, Byte* bytes, int count);
  static std::int64_t seek(void* self, std::int64_t offset, int whence);

  bool is_stream_;
  AVIOContext* context_ = nullptr;
  std::int64_t at_ = 0, size_ = 0;
};

}  // namespace octavo::video
