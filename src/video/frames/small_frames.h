#pragma once

#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/video_file.h"

namespace octavo::video {

/// A video whose small frames were read.
struct ReadFrames {
  VideoFacts facts{};
  double seconds = 0;                    ///< [second] the length; after an early end the part that was read
  std::vector<VideoWarning> warnings{};  ///< of the video
};

/// Decodes all frames of a video as grey images whose longer side is 480 pixels at most, one after the other, for the
/// choice of some. `take` gets each (u8, valid during the call) and its time from the first frame [second]; false ends
/// the reading. `options` says how they are decoded; its `every`, `fps`, `size`, `colour` and `ascending` have no
/// effect. Throws what Video throws.
ReadFrames read_small_frames(const std::filesystem::path& file, VideoOptions options, const ProgressSink& progress,
                             const std::function<bool(const cv::Mat& grey, double seconds)>& take);

}  // namespace octavo::video
