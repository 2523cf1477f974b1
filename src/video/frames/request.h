#pragma once

// The words with which the library starts octavo-decode: the version of the protocol, the options, whether packets are
// wanted in the place of frames, and which parts of the video are. The file is its standard input, so that the library
// reports a file that cannot be opened, and the decoder opens none.

#include <span>
#include <string>
#include <vector>

#include "octavo/video/video_file.h"
#include "video/frames/parts.h"

namespace octavo::video {

/// Whether packets are wanted, for a decoder on a GPU.
enum class Packets {
  none,             ///< frames are
  of_exact_codecs,  ///< where every decoder gives the same frames: H.264, HEVC, VP9, AV1
  of_any_codec,     ///< MPEG-1, 2 and 4 too
};

struct Request {
  VideoOptions options;
  Packets packets = Packets::none;
  /// Merged. Frames outside of them may be left out; empty: all are wanted.
  std::vector<Part> parts{};
};

std::vector<std::string> words_of(const Request& request);

/// The request in these words. Throws Error(invalid_argument) for words of another version, and for those that
/// words_of does not write; Error(invalid_option).
Request request_in(std::span<const std::string> words);

}  // namespace octavo::video
