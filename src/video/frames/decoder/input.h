#pragma once

// The standard input as FFmpeg reads files. FFmpeg gets no name and opens nothing: playlists and names with patterns
// cannot lead it to other files, and the content alone decides about the format.

extern "C" {
#include <libavformat/avio.h>
}

#include <cstdint>

#include "video/frames/decoder/message_output.h"

namespace octavo::video {

class Input {
 public:
  /// `output` is told when bytes come that were not read before, and while a pipe is waited for.
  explicit Input(MessageOutput& output);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  [[nodiscard]] AVIOContext* context() const { return context_; }
  /// A regular file. Otherwise it is a pipe, and can be read once only.
  [[nodiscard]] bool is_file() const { return is_file_; }

 private:
  static int read(void* self, std::uint8_t* bytes, int count);
  static std::int64_t seek(void* self, std::int64_t to, int whence);
  void wait_for_bytes();

  MessageOutput& output_;
  bool is_file_ = false;
  std::int64_t at_ = 0, farthest_ = 0;
  AVIOContext* context_ = nullptr;
};

}  // namespace octavo::video
