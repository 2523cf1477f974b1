#pragma once

// The words with which the library starts octavo-decode: the version of the protocol and the options. The file is its
// standard input, so that the library reports a file that cannot be opened, and the decoder opens none.

#include <span>
#include <string>
#include <vector>

#include "octavo/video.h"

namespace octavo::video {

std::vector<std::string> words_of(const VideoOptions& options);

/// The options in these words. Throws Error(invalid_argument) for words of another version, and for those that
/// words_of does not write; Error(invalid_option).
VideoOptions options_in(std::span<const std::string> words);

}  // namespace octavo::video
