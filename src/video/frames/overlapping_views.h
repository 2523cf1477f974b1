#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/video_file.h"

namespace octavo::video {

/// A frame as it lies in the plane over which the camera moves.
struct SeenView {
  double seconds = 0;    ///< from the first frame of the video on
  double x = 0, y = 0;   ///< of its middle, in widths and heights of a frame
  double sharpness = 0;  ///< larger is sharper
};

/// The views of a shot, in the order of time, that show all of what it shows, by ascending index. Each overlaps another
/// by 50 to 70 % of its area, or more where the camera is slower or turns back; of those near such a place the sharpest
/// is taken. A camera that does not move has one view.
std::vector<std::size_t> choose_views(std::span<const SeenView> shot);

/// The times [second, from the first frame] of frames that show all of what a video shows, chosen as choose_views does.
/// A cut begins a new shot; frames of one colour are left out. All frames are decoded, as small grey images of which
/// two are in memory. `options` says how they are decoded; its `every`, `fps`, `size`, `colour` and `ascending` have no
/// effect. Throws what Video throws.
std::vector<double> times_of_overlapping_views(const std::filesystem::path& file, const VideoOptions& options,
                                               const ProgressSink& progress = {});

}  // namespace octavo::video
