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

#include "octavo/video/video.h"

namespace octavo::video {

/// The version of this format, which the library and the decoder must have in common.
inline constexpr std::string_view protocol = "octavo-decode-7";

/// [tick] No time is farther from 0, and no duration longer, so that sums and differences of some do not overflow. Nor
/// has a frame a greater index.
inline constexpr std::int64_t most_ticks = std::int64_t{1} << 61;

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

/// Packets follow in the place of frames, for a decoder on a GPU.
struct PacketsMessage {
  int width = 0, height = 0;        ///< [pixel] of a frame that is scaled and not yet turned
  int depth = 8;                    ///< bits of a sample, 8…16; luma and chroma are 4:2:0
  std::int64_t usual_duration = 1;  ///< [tick] from a frame to the next where the packet does not tell it
  std::vector<std::byte> header{};  ///< what the container tells of the stream, as the codec writes it
};
/// A packet of the stream in the order of decoding, as the codec's own byte stream (H.264 and HEVC: Annex B).
struct PacketMessage {
  std::int64_t ticks = 0;           ///< the time at which its frame is shown
  std::int64_t duration_ticks = 0;  ///< 0: unknown
  bool key = false;
  std::vector<std::byte> bytes{};
};
/// The packets cannot be passed on as they are, or the parts of a video not be reached by leaps: the frames must be
/// decoded from the beginning.
struct RefusalMessage {
  std::string reason;  ///< "its frames are interlaced"
};

/// VideoFacts comes first and once, PacketsMessage before the first packet, then the others in any order; EndMessage,
/// FailureMessage or RefusalMessage is the last.
using Message = std::variant<VideoFacts, VideoFrame, VideoWarning, ProgressMessage, EndMessage, FailureMessage,
                             PacketsMessage, PacketMessage, RefusalMessage>;

/// Packets are larger only in files that are damaged.
inline constexpr std::size_t most_packet_bytes = std::size_t{64} << 20;
/// A longer header is refused.
inline constexpr std::size_t most_header_bytes = 16384;

/// A message that breaks the rules.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes of a message, without the pixels of a frame and the bytes of a packet.
std::vector<std::byte> bytes_of(const Message& message);
/// The pixels of a frame: grey, then colour.
std::vector<std::span<const std::byte>> pixels_of(const VideoFrame& frame);
/// What follows the bytes of a message: the pixels of a frame, the bytes of a packet.
std::vector<std::span<const std::byte>> data_of(const Message& message);

/// Fills the span with the next bytes, or throws.
using ReadBytes = std::function<void(std::span<std::byte>)>;

/// Reads a message. Throws ProtocolError; Error(out_of_memory) for a frame; and what `read` throws. A frame has at most
/// `max_pixels`.
Message read_message(const ReadBytes& read, std::uint64_t max_pixels);

}  // namespace octavo::video
