#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/image.h"
#include "octavo/video/video_file.h"

// Frames of a video file as images, with their times. FFmpeg's libraries decode in a process of their own, the
// program `octavo-decode`, because damaged files make decoders hang and crash. docs/video.md describes every step.

namespace OCTAVO_API octavo {

/// A frame that was taken. Rotated and stretched as the file demands, and scaled.
struct VideoFrame {
  Image grey;              ///< u8, one channel: luma. Of RGB codecs 0.2126 R + 0.7152 G + 0.0722 B
  Image colour;            ///< u8, RGB, of the same size; empty unless it was asked for
  std::int64_t index = 0;  ///< among all frames that were decoded, in the order in which they are shown; from 0
  std::int64_t ticks = 0;  ///< the time, in units of VideoFacts::time_base; need not begin at 0; −2^61…2^61
  double seconds = 0;      ///< the same time, ticks · time_base
  std::int64_t duration_ticks = 0;  ///< by the file; 0: unknown
  int stored_width = 0;             ///< [pixel]
  int stored_height = 0;            ///< [pixel]
  bool key = false;                 ///< decoded without other frames
  bool interlaced = false;          ///< its lines are of two times, by the file
  bool damaged = false;             ///< the decoder had to guess parts of it
  bool time_is_guessed = false;     ///< the file gives no time: it is that of the frame before, and its duration
};

/// Reads a video from its beginning to its end. An image is one too, of one frame (is_image), upright as its EXIF data
/// say. A camera is a file too: /dev/video0, a device of Video4Linux, which
/// FFmpeg's libavdevice reads with the size and rate that the device is set to; it has no end. The memory that it takes
/// does not depend on the length. Frames are the same on every machine. An object is used by one thread at a time.
class Video {
 public:
  /// Starts the decoder and reads the facts. Throws Error(invalid_option); Error(device_unavailable) if NVDEC is asked
  /// for and the machine has none; Error(file_error), which names the file, for
  /// one that cannot be read, is empty or holds no video, and for a decoder that is missing, crashes or makes no
  /// progress; Error(out_of_memory).
  explicit Video(const std::filesystem::path& file, const VideoOptions& options = {});
  /// Reads an open file or pipe, such as the standard input; `name` is what the errors call it. The descriptor stays
  /// open. A file is read from its beginning, and the position of its descriptor stays.
  Video(int descriptor, const std::string& name, const VideoOptions& options = {});
  /// Ends the decoder.
  ~Video();
  Video(Video&&) noexcept;
  Video& operator=(Video&&) = delete;

  /// What the file says of it.
  [[nodiscard]] const VideoFacts& facts() const;

  /// The next frame that the options take; none after the last one. Throws Error(file_error), which names the file, and
  /// the index and the time of the last frame, if the decoder crashes, makes no progress, or cannot go on. The frames
  /// before are good.
  std::optional<VideoFrame> next();

  /// The number of frames that were decoded so far, with those that were not taken.
  [[nodiscard]] std::int64_t decoded() const;
  /// [second] the time of the last frame that was decoded, from the first one on; at the end of the video that at which
  /// the last frame ends, so the length.
  [[nodiscard]] double seconds_done() const;
  /// [second] of a CPU core that the decoder's process has taken so far, with its making of images.
  [[nodiscard]] double decoding_seconds() const;
  /// Those that are known so far; all of them after the last frame.
  [[nodiscard]] const std::vector<VideoWarning>& warnings() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
