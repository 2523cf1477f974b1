#pragma once

// The shots of a clip, with the frames that show all of what each of them shows.

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/takes.h"
#include "octavo/video/video_file.h"

namespace octavo {

/// A shot, and the times of its frames that MatchableViews chooses [second, from the first frame of the clip].
struct ShotViews {
  Shot shot;
  std::vector<double> views;  ///< ascending; none of a shot without texture
};

struct ClipViews {
  VideoFacts facts;
  std::vector<ShotViews> shots;        ///< ascending
  std::vector<JunkShot> left_out;      ///< ascending
  std::vector<VideoWarning> warnings;  ///< of the video
};

/// Reads a clip once, as small frames. Its shots have the number `clip`. After a stop the rest is missing. Throws what
/// Video throws.
ClipViews views_of_shots(std::size_t clip, const std::filesystem::path& file, const VideoOptions& options,
                         const ProgressSink& progress, const std::stop_token& stop);

}  // namespace octavo
