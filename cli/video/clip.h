#pragma once

#include <string>

#include "octavo/video/video.h"

namespace octavo::cli {

class Command;

/// The video of this name, or that of the standard input for "-", which errors call 'standard input'. Throws as Video
/// does, and Error(file_error) if the standard input is a terminal.
Video open_video(const std::string& name, const VideoOptions& options);

/// Adds --every, --fps and --size, or only --size, for commands whose input may be a video.
void add_clip_options(Command& command, VideoOptions& options, bool only_size);

/// The options of reading that hold for a video too: `range`, `black`, `white`, and `max_pixels` if it is given.
void take_reading_options(const Command& command, const ReadOptions& read, VideoOptions& options);

/// What the results of a video are called: the file's name without its folder; "stdin" for "-".
std::string name_of_results(const std::string& name);

}  // namespace octavo::cli
