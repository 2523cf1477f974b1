#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "octavo/progress.h"

namespace octavo::jobs {

/// How the photographs of a video are made.
struct VideoPhotographs {
  std::filesystem::path video, folder;
  std::size_t most = 0;          ///< of more frames so many are taken, evenly; 0: all
  std::uint64_t max_pixels = 0;  ///< of a frame
};

/// Writes the frames of a video that can be matched (video/frames/matchable_views.h) into the folder, which appears
/// whole or not at all, as JPEG files named by their times: "frame-00003.240s.jpg" is 3.24 s after the first frame.
/// `frames.json` beside them says which video and number they are of: the same call again leaves the folder as it is.
/// Too many frames, and what is wrong with the video, are warnings. Returns whether it is done: false after a stop.
/// Throws Error(file_error): a folder that is there and is of anything else, a video that shows fewer than two
/// views, a file that cannot be written; and what Video throws.
bool write_photographs(const VideoPhotographs& job, const JobContext& context);

}  // namespace octavo::jobs
