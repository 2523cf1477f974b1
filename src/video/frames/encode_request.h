#pragma once

// What the library tells the program octavo-encode: how to encode, in the words with which it starts, and then the
// images, through its standard input. Its output is file output_file_descriptor. The program answers on its standard
// output with messages of frames/messages.h: VideoFacts (the codec) when it is ready, EndMessage when the file is
// whole, or FailureMessage.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "video/frames/video_writer.h"

namespace octavo::video {

/// The version of this format, which the library and the encoder must have in common.
inline constexpr std::string_view encode_protocol = "octavo-encode-2";

struct EncodeRequest {
  std::string container;              ///< FFmpeg's name
  bool is_stream = false;             ///< the output is read while it is written, and nothing in it is changed later
  ImageSize size;                     ///< both sides are even
  Ratio time_base{1, 25};             ///< [second] a tick
  Ratio frame_rate{25, 1};            ///< [1/second] roughly
  std::vector<std::string> encoders;  ///< FFmpeg's names; the first that can be opened is taken

  bool operator==(const EncodeRequest&) const = default;
};

std::vector<std::string> words_of(const EncodeRequest& request);

/// The request in these words. Throws Error(invalid_argument) for words of another version, and for those that words_of
/// does not write.
EncodeRequest encode_request_in(std::span<const std::string> words);

/// Precedes each image: luma, then both chroma planes of half the width and height, one byte a sample, of limited
/// range by the matrix of BT.601. The last head has no image.
struct ImageHead {
  std::array<char, 4> mark{'O', 'C', 'T', 'P'};
  std::uint32_t is_end = 0;
  std::int64_t ticks = 0;     ///< ascending
  std::int64_t duration = 0;  ///< [tick] until the next image; of the last one, as long as it is shown
};

/// [byte]
inline std::size_t bytes_of_image(ImageSize size) {
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 3 / 2;
}

}  // namespace octavo::video
