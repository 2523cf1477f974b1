#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/video_file.h"

namespace octavo::video {

/// What was chosen of a video.
struct ChosenViews {
  std::vector<double> times{};           ///< [second] from the first frame
  std::vector<VideoWarning> warnings{};  ///< of the video
};

/// The frames of a video that MatchableViews (view_chooser.h) chooses. All frames are decoded, as read_small_frames
/// does. After a stop some are missing. Throws what Video throws.
ChosenViews choose_matchable_views(const std::filesystem::path& file, const VideoOptions& options,
                                   const ProgressSink& progress, const std::stop_token& stop);

}  // namespace octavo::video
