#pragma once

#include <span>
#include <string>

#include "octavo/video/video_file.h"

namespace octavo::cli {

class Command;

/// Throws WrongCall if one of the videos is "-": they are read several times.
void refuse_standard_input(std::span<const std::string> clips);

/// Adds --every, --fps and --size, or only --size, for commands whose input may be a video.
void add_clip_options(Command& command, VideoOptions& options, bool only_size);

/// The options of reading that hold for a video too: `range`, `black`, `white`, and `max_pixels` if it is given.
void take_reading_options(const Command& command, const ReadOptions& read, VideoOptions& options);

}  // namespace octavo::cli
