#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "video/frames/messages.h"

namespace octavo::video {

/// Sends messages through the standard output. If the other end is gone, the process ends.
class MessageOutput {
 public:
  void send(const Message& message);
  /// Tells that the work goes on, at most a few times a second.
  void beat();
  /// What the next beats tell.
  void note(std::int64_t decoded, double seconds) { progress_ = {decoded, seconds}; }

 private:
  void write(std::span<const std::byte> bytes);

  ProgressMessage progress_;
  std::chrono::steady_clock::time_point sent_{};
};

}  // namespace octavo::video
