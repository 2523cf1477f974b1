#pragma once

#include <filesystem>
#include <stop_token>

#include "octavo/progress.h"
#include "octavo/video/video_file.h"

namespace octavo::review {

/// Writes a clip that browsers do not play as an MP4 of H.264 that they do, without sound, small, with the same times
/// from its first frame on. After a stop there is no file. `video` gives the decoder and its limits. Throws what Video
/// and VideoWriter throw, such as for a machine without an encoder of H.264.
void write_preview(const std::filesystem::path& clip, const std::filesystem::path& preview, VideoOptions video,
                   const ProgressSink& progress = {}, const std::stop_token& stop = {});

}  // namespace octavo::review
