#pragma once

// octavo extract of videos: each frame that is taken is an input picture, called CLIP#INDEX.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/extract_output.h"
#include "octavo/extractor.h"
#include "octavo/pictures.h"
#include "octavo/video.h"

namespace octavo::cli {

class Interruption;
class Progress;

/// What to do with the frames of videos.
struct VideoExtraction {
  std::vector<std::string> clips;
  VideoOptions video;
  ExtractFolder* output = nullptr;  ///< null: no files
  bool skip_existing = false;       ///< leave out the frames whose files are up to date
};

/// What becomes of the frames and clips.
struct VideoReport {
  /// A frame, its features, and the milliseconds of its extraction. False ends the work.
  std::function<bool(const PictureFile& frame, const Features& features, double milliseconds)> take;
  /// A frame that was left out, and the number of its keypoints.
  std::function<void(const PictureFile& frame, std::uint64_t keypoints)> skip;
  /// A sentence about a video that cannot be read, or a frame whose features cannot be extracted or written. The work
  /// goes on.
  std::function<void(const std::string& sentence)> fail;
};

/// Extracts the features of the frames, in their order, and writes the files. `mask` may be null. Returns whether all
/// clips were done, and not interrupted.
bool extract_videos(const VideoExtraction& extraction, Extractor& extractor, const Image* mask,
                    const Interruption& interruption, Progress& progress, const VideoReport& report);

}  // namespace octavo::cli
