#pragma once

// The commands below `octavo video`.

#include <CLI/App.hpp>

namespace octavo::cli {

void add_video_frames(CLI::App& video, int& exit_code);

}  // namespace octavo::cli
