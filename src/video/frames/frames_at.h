#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/video.h"

namespace octavo {

/// A frame that is wanted: the one that is seen `seconds` after the first frame of its clip, so the last one that
/// begins by then. `take` gets the frame and its time from the first frame [second].
struct FrameRequest {
  double seconds = 0;
  std::function<void(const VideoFrame& frame, double seconds)> take;
};

/// Reads the parts of a clip with the wanted frames (video_parts.h), and gives each of them, in the order of time.
/// After the end of the clip there is none; an image has no end. `options` says how frames are made; its `every` and
/// `fps` have no effect. Tells the progress in seconds of the clip. After a stop some are missing. Throws what Video
/// throws.
void read_frames_at(const std::filesystem::path& clip, std::vector<FrameRequest> requests, const VideoOptions& options,
                    const ProgressSink& progress = {}, const std::stop_token& stop = {});

}  // namespace octavo
