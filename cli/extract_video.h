#pragma once

// octavo extract of videos: each frame that is taken is an input picture, called CLIP#INDEX.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/extract_output.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "octavo/extractor.h"
#include "octavo/video.h"

namespace octavo::cli {

/// What to do with the frames of videos.
struct VideoExtraction {
  std::vector<std::string> clips;
  VideoOptions video;
  std::filesystem::path output;  ///< a folder that exists; empty: no files
  FeatureFormat format = FeatureFormat::colmap;
  bool draw = false;
};

/// Is given the name of each frame, its features, and the milliseconds of its extraction. False ends the work.
using TakeFeatures = std::function<bool(const std::string& name, const Features& features, double milliseconds)>;

/// Extracts the features of the frames, in their order, and writes the files. `mask` may be null. A video that cannot
/// be read, or a frame whose features cannot be extracted or written, is reported on the error stream, and the work
/// goes on. Returns whether all went well.
bool extract_videos(const VideoExtraction& extraction, Extractor& extractor, const Image* mask,
                    const Interruption& interruption, Progress& progress, const TakeFeatures& take);

}  // namespace octavo::cli
