#include "video/frames/decoder/message_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <variant>

namespace octavo::video {

void MessageOutput::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(EXIT_FAILURE);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void MessageOutput::send(const Message& message) {
  write(bytes_of(message));
  for (const std::span<const std::byte> data : data_of(message)) write(data);
  sent_ = std::chrono::steady_clock::now();
}

void MessageOutput::beat() {
  using namespace std::chrono_literals;
  if (std::chrono::steady_clock::now() - sent_ >= 50ms) send(progress_);
}

}  // namespace octavo::video
