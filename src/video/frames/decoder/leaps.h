#pragma once

// Frames of a stream from a later time on, without those between. After a leap to a key frame a decoder gives the same
// frames as if it had come there frame by frame, if the codec says so of its key frames and the container tells the
// time of every packet. Only such streams leap: H.264 from images of instant refresh, HEVC, VP8, VP9, AV1, MPEG-1 and
// 2 from their key frames, and codecs without other frames, in MP4, MOV, Matroska and WebM. Containers without an index
// (MPEG-TS, MPEG-PS) guess where a time lies, and AVI counts frames in the place of times.

#include <cstdint>
#include <stdexcept>

#include "video/frames/decoder/stream.h"

namespace octavo::video {

/// Where a leap led, no frame is exact: the stream must be read from its beginning.
class NoLeap : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Leaps {
 public:
  /// `first` is the first frame of the stream.
  Leaps(Stream& stream, const AVFrame& first);

  /// Whether this kind of stream can leap.
  [[nodiscard]] bool are_possible() const { return are_possible_; }
  /// Leaps to a key frame at or before `ticks`, if one lies after `last`, the time of the last frame. Throws NoLeap.
  void leap(std::int64_t ticks, std::int64_t last);
  /// The next frame of the stream that was not given before; null after the last one. Throws DecodeFailure, NoLeap.
  const AVFrame* next();

 private:
  Stream& stream_;
  bool are_possible_ = false, has_leapt_ = false, is_key_seen_ = true;
  std::int64_t key_ = 0, last_ = 0;  // [tick]
};

}  // namespace octavo::video
