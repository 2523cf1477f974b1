#pragma once

// What the decoder's process tells the library: a stream of messages through a pipe. Each has a head (the mark "OCTV",
// a kind, the number of bytes of its body) and a body of numbers and texts of the machine's own order of bytes, because
// both ends run on one machine. The other end may have gone mad over a damaged file, so every number is checked before
// it is used: a message that breaks a rule is an error, never a large allocation.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "octavo/video.h"

namespace octavo::video {

/// The version of this format, which the library and the decoder must have in common.
inline constexpr std::string_view protocol = "octavo-decode-2";

/// The decoder is at work: so many frames, and the time of the last one from the first one on [second].
struct ProgressMessage {
  std::int64_t decoded = 0;
  double seconds = 0;
};
/// The stream ended well, after so many frames; and the end of the last one, from the time of the first on [second].
struct EndMessage {
  std::int64_t decoded = 0;
  double seconds = 0;
};
/// The decoder cannot begin, or cannot go on. The sentence does not name the file.
struct FailureMessage {
  std::string sentence;
};

/// VideoFacts comes first and once, then the others in any order; EndMessage or FailureMessage is the last.
using Message = std::variant<VideoFacts, VideoFrame, VideoWarning, ProgressMessage, EndMessage, FailureMessage>;

/// A message that breaks the rules.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of a message, without the pixels of a frame.
std::vector<std::byte> bytes_of(const Message& message);
/// The pixels that follow the bytes of a frame: grey, then colour.
std::vector<std::span<const std::byte>> pixels_of(const VideoFrame& frame);

/// Fills the span with the next bytes, or throws.
using ReadBytes = std::function<void(std::span<std::byte>)>;

/// Reads a message. Throws ProtocolError; Error(out_of_memory) for a frame; and what `read` throws. A frame has at most
/// `max_pixels`.
Message read_message(const ReadBytes& read, std::uint64_t max_pixels);

}  // namespace octavo::video
