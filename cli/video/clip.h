#pragma once

#include <string>

#include "octavo/video.h"

namespace octavo::cli {

/// The video of this name, or that of the standard input for "-", which errors call 'standard input'. Throws as Video
/// does, and Error(file_error) if the standard input is a terminal.
Video open_video(const std::string& name, const VideoOptions& options);

/// What the results of a video are called: the file's name without its folder; "stdin" for "-".
std::string name_of_results(const std::string& name);

}  // namespace octavo::cli
